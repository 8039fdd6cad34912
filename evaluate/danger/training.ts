import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import * as z from 'zod'
import { CLASSES } from '#server/assistant/understanding/danger/classifier.ts'
import { questions } from '../questions.ts'

const TrainingColumns = z.object({ kind: z.enum(CLASSES), style: z.string().min(1), text: z.string().min(1) })
export type TrainingSentence = z.infer<typeof TrainingColumns> & { language: string }

const FOLDER = new URL('./training/', import.meta.url)

/**
 * Training sentences of the danger model: training/{author}/{language}.tsv (kind, style, text) and the evaluation
 * questions that are labelled with a danger. Excludes everything in danger/unseen.
 */
export function readTraining(): TrainingSentence[] {
  const written = trainingFiles().flatMap((file) => {
    const language = path.basename(file.pathname, '.tsv')
    return readTsv(file, TrainingColumns).map((row) => ({ language, ...row }))
  })
  const evaluated = questions().flatMap(({ language, question, expected: { dangers } }) =>
    dangers ? [{ language, kind: dangers[0] ?? ('harmless' as const), style: 'question', text: question }] : [],
  )
  return [...written, ...evaluated]
}

/** Digest of the training sentences; shows whether a model was fitted to them. */
export function trainingDigest(): string {
  return createHash('sha256')
    .update(JSON.stringify(readTraining().map(({ kind, text }) => [kind, text])))
    .digest('hex')
}

function trainingFiles(): URL[] {
  return readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.tsv'))
    .sort()
    .map((name) => new URL(name, FOLDER))
}

/** Rows of a TSV file. Columns are in the order of the schema's keys. */
export function readTsv<T extends z.ZodObject>(file: URL, schema: T): z.output<T>[] {
  const columns = Object.keys(schema.shape)
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const cells = line.split('\t')
      if (cells.length !== columns.length)
        throw new Error(`${file.pathname}: ${columns.length} columns wanted in: ${line}`)
      return schema.parse(Object.fromEntries(columns.map((column, at) => [column, cells[at]])))
    })
}
