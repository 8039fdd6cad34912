import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { ASSISTANT_LANGUAGE_CODES, ASSISTANT_LANGUAGES } from '#shared/assistant/languages.ts'
import { CHECKS, type Failure } from './checks.ts'
import { BEHAVIOURS } from './model-behaviours.ts'
import type { RunResult } from './runner.ts'

interface Run {
  came: RunResult[]
  failures: Failure[]
}

interface Evaluation {
  plain: Run
  chosen: (Run & { behaviourOf: (result: RunResult) => { name: string } | null }) | null
}

const FILE = path.resolve(import.meta.dirname, '../docs/assistant-quality.md')
const BEGIN = '<!-- npm run evaluate -- --write fills in from here -->'
const END = '<!-- to here -->'

/** Evaluation results as Markdown. */
export function report({ plain, chosen }: Evaluation): string {
  return [
    `## Without a model`,
    perLanguage(plain),
    `Slowest answer: ${slowest(plain)}. Same records in all languages: ${sameFacts(plain)}.`,
    '### What did not come out',
    list(plain.failures),
    ...(chosen
      ? [
          '## With a model that misbehaves',
          perBehaviour(chosen),
          `Slowest answer: ${slowest(chosen)}; the limit is 20 s.`,
          '### What did not come out',
          list(chosen.failures),
        ]
      : []),
  ].join('\n\n')
}

function perLanguage({ came, failures }: Run): string {
  const line = (name: string, count: number, mine: readonly Failure[]) => {
    const passed = CHECKS.map(
      (check) => count - new Set(mine.filter((failure) => failure.check === check).map(({ came }) => came)).size,
    )
    return `| ${[name, count, ...passed, count - new Set(mine.map(({ came }) => came)).size].join(' | ')} |`
  }
  return [
    `| | questions | ${CHECKS.map((check) => HEADS[check]).join(' | ')} | all of it |`,
    `|---|--:|${CHECKS.map(() => '--:').join('|')}|--:|`,
    ...ASSISTANT_LANGUAGE_CODES.map((code) =>
      line(
        ASSISTANT_LANGUAGES[code].name,
        came.filter(({ question }) => question.language === code).length,
        failures.filter(({ came }) => came.question.language === code),
      ),
    ),
    line('**all**', came.length, failures),
  ].join('\n')
}

/** Number of passed answers per check. */
const HEADS = {
  intent: 'right intent',
  records: 'right records',
  language: 'right language',
  status: 'right status',
  links: 'no invented link',
  unsupported: 'no statement without a record',
  danger: 'danger',
}

function perBehaviour({ came, failures, behaviourOf }: NonNullable<Evaluation['chosen']>): string {
  const line = (name: string, mine: readonly RunResult[]) => {
    const of = (check: Failure['check']) =>
      failures.filter((failure) => failure.check === check && mine.includes(failure.came)).length
    const longest = Math.max(0, ...mine.map(({ milliseconds }) => milliseconds))
    const fallbacks = mine.filter(({ reply }) => reply.metadata.status === 'fallback').length
    return `| ${[name, mine.length, fallbacks, of('links'), of('unsupported'), of('altered'), of('status'), seconds(longest)].join(' | ')} |`
  }
  return [
    '| the model | answers | of them fallback | invented links | statements without a record | lines changed, added or left out | wrong status | slowest |',
    '|---|--:|--:|--:|--:|--:|--:|--:|',
    ...BEHAVIOURS.map(({ name }) =>
      line(
        name,
        came.filter((result) => behaviourOf(result)?.name === name),
      ),
    ),
    line(
      'is not asked (danger, advisories, numbers, papers, manners: nothing to choose)',
      came.filter((result) => !behaviourOf(result)),
    ),
    line('**all**', came),
  ].join('\n')
}

function sameFacts({ came, failures }: Run): string {
  const shared = [...new Set(came.filter(({ question }) => question.isShared).map(({ question }) => question.id))]
  const differing = new Set(failures.filter(({ check }) => check === 'same facts').map(({ came }) => came.question.id))
  return `${shared.length - differing.size} of ${shared.length} questions that are asked in all of them`
}

function list(failures: readonly Failure[]): string {
  if (failures.length === 0) return 'Nothing.'
  return failures
    .map(
      ({ check, came: { question }, what }) =>
        `- ${question.language} \`${question.id}\` “${question.question}”: ${check}: ${singleLine(what)}`,
    )
    .join('\n')
}

const singleLine = (text: string) => text.replace(/\s+/g, ' ').slice(0, 240)
const slowest = ({ came }: Run) => seconds(Math.max(0, ...came.map(({ milliseconds }) => milliseconds)))
const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`

/** Writes the report into docs/assistant-quality.md. */
export function writeReport(text: string): void {
  const existing = existsSync(FILE)
    ? readFileSync(FILE, 'utf8')
    : `# How good the answers of the assistant are\n\n${BEGIN}\n${END}\n`
  const before = existing.slice(0, existing.indexOf(BEGIN))
  const after = existing.slice(existing.indexOf(END) + END.length)
  const day = new Date().toISOString().slice(0, 10)
  // Nests the headings below those of the page. Failed questions are quoted verbatim, so nothing in them may be live
  // markup.
  writeFileSync(FILE, `${before}${BEGIN}\n\nLast run ${day}.\n\n${text}\n\n${END}${after}`)
}
