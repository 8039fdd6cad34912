import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

/** One measurement with its limit and the baseline of the same run. */
export interface Row {
  what: string
  budget: string
  measured: string
  baseline: string
  /** Measured ÷ baseline, or the value the budget compares. */
  ratio: string
  /** Null if no budget is set. */
  isMet: boolean | null
}

export interface Measurement {
  name: string
  rows: Row[]
}

const FILE = path.resolve(import.meta.dirname, '../docs/performance.md')
const BEGIN = '<!-- npm run bench -- --write fills in from here -->'
const END = '<!-- to here -->'
const HEAD = [
  '| | what | budget | measured | baseline in the same run | ratio | met? | on |',
  '|---|---|---|--:|--:|--:|---|---|',
]

/** The table of all measurements. */
export function table(measured: Measurement[], day: string): string {
  return [...HEAD, ...measured.flatMap((measurement) => linesOf(measurement, day))].join('\n')
}

function linesOf({ name, rows }: Measurement, day: string): string[] {
  return rows.map(({ what, budget, measured, baseline, ratio, isMet }) => {
    const met = isMet === null ? '' : isMet ? 'yes' : '**no**'
    return `| ${[name, what, budget, measured, baseline, ratio, met, day].join(' | ')} |`
  })
}

/** Writes results to docs/performance.md. Measurements that were not run keep their rows and dates. */
export function writeReport(measured: Measurement[], names: string[], day: string): void {
  const text = existsSync(FILE) ? readFileSync(FILE, 'utf8') : `# Performance\n\n${BEGIN}\n${END}\n`
  const [before, previous = '', after] = [
    between(text, undefined, BEGIN),
    between(text, BEGIN, END),
    between(text, END, undefined),
  ]
  const lines = names.flatMap((name) => {
    const fresh = measured.find((measurement) => measurement.name === name)
    return fresh ? linesOf(fresh, day) : previous.split('\n').filter((line) => line.startsWith(`| ${name} |`))
  })
  writeFileSync(
    FILE,
    `${before}${BEGIN}\n\nLast run ${day} on ${machine()}.\n\n${[...HEAD, ...lines].join('\n')}\n\n${END}${after}`,
  )
}

function between(text: string, from: string | undefined, to: string | undefined): string {
  const start = from === undefined ? 0 : text.indexOf(from) + from.length
  return text.slice(start, to === undefined ? undefined : text.indexOf(to))
}

export const today = () => new Date().toISOString().slice(0, 10)

export function machine(): string {
  return `${os.availableParallelism()} cores, ${Math.round(os.totalmem() / 2 ** 30)} GB memory, Node ${process.versions.node}`
}

/** The middle value; the upper one of the two for an even count. */
export function median(numbers: number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN
}

/** Percentile without interpolation; `share` is between 0 and 1. */
export function percentile(numbers: number[], share: number): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length * share)] ?? Number.NaN
}

export const count = (n: number) => Math.round(n).toLocaleString('en')
export function milliseconds(n: number): string {
  if (!Number.isFinite(n)) return 'never'
  return `${n < 10 ? n.toFixed(2) : count(n)} ms`
}

export const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`
export const times = (ratio: number) => `${ratio.toFixed(2)} ×`
