import type { Log } from '../../log.ts'
import { citationsOf, marksOf } from '../composing/compose.ts'
import { escapeMarkdown } from '../composing/markdown.ts'
import type { Draft, Statement } from '../drafts.ts'
import { attempts, INVALID_RESPONSE } from './attempts.ts'
import { type CheckedLine, checkLine } from './checking.ts'
import { putLinksBack, takeLinks } from './links.ts'
import type { Phrasing } from './phrasing.ts'
import { promptFor, type Sayable } from './prompt.ts'
import type { Model } from './provider.ts'
import type { Spending } from './spending.ts'

/**
 * Has a draft phrased by a model, line by line: what passes the checks is shown as it comes, what does not is thrown
 * away, and whatever of the draft no line has said is added as the templates say it. So the model chooses words and
 * order, and never what is true. Throws where not one line can be shown.
 */
export function createPhrasing(parts: { model: Model; spending: Spending; log: Log }): Phrasing {
  return async ({ draft, question, history, visitor, options, signal, onWords }) => {
    const { model, spending, log } = parts
    if (!(await spending.take(visitor))) return null
    const sayable = sayableOf(draft)
    const writer = createWriter(draft, sayable, onWords)
    const prompt = promptFor({
      language: draft.language,
      question,
      statements: [...sayable.statements.values()],
      history,
      temperature: options.temperature,
      maxTokens: options.max_tokens,
    })
    let tokens = 0
    try {
      await attempts(
        async (patience) => {
          const { words, tokens: spent } = model.stream(prompt, patience)
          try {
            for await (const line of linesOf(words))
              writer.write(checkLine(line, { language: draft.language, ...sayable }))
          } finally {
            tokens = await spent()
          }
          if (!writer.hasWritten()) throw new Error(INVALID_RESPONSE)
        },
        { signal },
      )
    } catch (error) {
      // What was shown is true; the rest is said by templates.
      if (!writer.hasWritten()) throw error
      log.warn({ reason: (error as Error).message }, 'a model stopped before it had said everything')
    } finally {
      spending.spent(tokens)
    }
    return { content: writer.finish(), model: model.name, tokens }
  }
}

interface AllSayable {
  statements: Map<string, Sayable>
  said: Map<string, Statement>
  links: string[]
}

/** Every statement of a draft under an id, its links as tokens. */
function sayableOf(draft: Draft): AllSayable {
  const links: string[] = []
  const statements = new Map<string, Sayable>()
  const said = new Map<string, Statement>()
  for (const { lead, statements: items } of draft.sections)
    for (const statement of [...(lead && lead.records.length > 0 ? [lead] : []), ...items]) {
      const id = `S${statements.size + 1}`
      statements.set(id, { id, text: takeLinks(statement.text, links).text })
      said.set(id, statement)
    }
  return { statements, said, links }
}

/** Collects the lines that may be shown, and completes them. */
function createWriter(draft: Draft, { said, links }: AllSayable, onWords: ((piece: string) => void) | undefined) {
  const marks = marksOf(citationsOf(draft))
  const numbersOf = (records: readonly string[]) => [...new Set(records)].map((record) => marks.get(record)).join(' ')
  const written = new Set<string>()
  let content = ''
  let wasItem = false

  function add(text: string, isItem: boolean) {
    const piece = `${content === '' ? '' : isItem && wasItem ? '\n' : '\n\n'}${isItem ? '- ' : ''}${text}`
    content += piece
    wasItem = isItem
    onWords?.(piece)
  }

  return {
    hasWritten: () => written.size > 0,
    write(line: CheckedLine | null) {
      if (!line) return
      const text = putLinksBack(plainLine(line.text), links)
      if (text === null) return
      if (written.size === 0) for (const paragraph of draft.opening) add(paragraph, false)
      for (const id of line.cites) written.add(id)
      add(`${text} ${numbersOf(line.cites.flatMap((id) => said.get(id)!.records))}`, line.isItem)
    },
    finish() {
      for (const { lead, statements } of draft.sections) {
        const missing = statements.filter((statement) => !written.has(idOf(said, statement)))
        if (missing.length === 0) continue
        if (lead) add([lead.text, numbersOf(lead.records)].join(' ').trim(), false)
        for (const { text, records } of missing) add(`${text} ${numbersOf(records)}`, true)
      }
      for (const paragraph of draft.closing) add(paragraph, false)
      return content
    },
  }
}

function idOf(said: AllSayable['said'], wanted: Statement): string {
  for (const [id, statement] of said) if (statement === wanted) return id
  return ''
}

/** Plain words with bold as the only Markdown; tokens of links stay. */
function plainLine(text: string): string {
  const pieces = text.replaceAll('\\', '').split('**')
  const isBalanced = pieces.length % 2 === 1
  const escaped = pieces.map((piece) =>
    piece
      .split(/(\{L\d+\})/)
      .map((part, at) => (at % 2 === 1 ? part : edgesKept(part)))
      .join(''),
  )
  return escaped.join(isBalanced ? '**' : '')
}

/** Escaping trims; the spaces beside bold words and links are wanted. */
function edgesKept(text: string): string {
  const [, before = '', inner = '', after = ''] = /^(\s*)(.*?)(\s*)$/s.exec(text) ?? []
  return `${before && ' '}${escapeMarkdown(inner)}${after && ' '}`
}

const LONGEST_LINE = 4000

async function* linesOf(words: AsyncIterable<string>) {
  let line = ''
  for await (const piece of words) {
    line += piece
    const lines = line.split('\n')
    line = lines.pop()!
    yield* lines.filter((whole) => whole.trim() !== '')
    // Nobody writes so; it would only fill the memory.
    if (line.length > LONGEST_LINE) throw new Error(INVALID_RESPONSE)
  }
  if (line.trim() !== '') yield line
}
