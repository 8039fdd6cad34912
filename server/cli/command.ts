import { parseArgs } from 'node:util'
import type { FeedDeps } from '#server/advisories/feeds/deps.ts'
import type { Settings } from '#server/env.ts'

/** The command cannot be carried out as requested; the message says what can be done. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

export interface CommandDeps extends FeedDeps {
  /** True on the embedded database, the only one that may hold sample content. */
  isEmbedded: boolean
  /** The database in words, without its password: 'on the embedded database in ./data'. */
  where: string
  /** Migrations that were applied when the database was opened for this command. */
  migrated: string[]
  print: (text: string) => void
  /** Reads the first line of standard input. */
  readInput: () => Promise<string>
}

/** Dependencies of a command that opens the database itself, or needs none. */
export interface StandaloneDeps {
  settings: Settings
  print: (text: string) => void
}

export type Command = {
  usage: string
  about: string[]
} & (
  | {
      /** Runs on the migrated database; returns the exit code. */
      run: (args: string[], deps: CommandDeps) => Promise<number>
    }
  | { runAlone: (args: string[], deps: StandaloneDeps) => Promise<number> }
)

/** Parses the arguments of a command; anything else is named and refused. */
export function parse<T extends NonNullable<Parameters<typeof parseArgs>[0]>['options']>(
  args: string[],
  options: T,
  positionals = 0,
) {
  try {
    const parsed = parseArgs({ args, options: options ?? {}, allowPositionals: true, strict: true })
    if (parsed.positionals.length !== positionals)
      throw new Error(`It needs ${positionals || 'no'} arguments without "--".`)
    return parsed as ReturnType<typeof parseArgs<{ args: string[]; options: NonNullable<T>; allowPositionals: true }>>
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}
