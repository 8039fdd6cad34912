import { pino } from 'pino'
import { UnknownSourceError } from '#server/advisories/feeds/saved-document.ts'
import { UsageError } from '#server/cli/command.ts'
import { COMMANDS } from '#server/cli/commands.ts'
import { type Database, locationOf, openPostgres } from '#server/db/connection.ts'
import { openPglite } from '#server/db/embedded.ts'
import { migrate } from '#server/db/migrate.ts'
import { readSettings, type Settings } from './env.ts'
import { addEnvFile } from './env-file.ts'

/** Exit code for a usage error, as in other command-line tools. */
const MISUSED = 2

/** Runs one portal command and returns the exit code. Results go to `print`, everything else to standard error. */
export async function runCommand(
  argv: string[],
  environment: Record<string, string | undefined>,
  print: (text: string) => void,
  readInput: () => Promise<string> = firstLine,
): Promise<number> {
  const [name, ...args] = argv
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    print(help())
    return name === undefined ? MISUSED : 0
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (!command) {
    console.error(`Unknown command "${name}".\n\n${help()}`)
    return MISUSED
  }
  if (args.includes('--help') || args.includes('-h')) {
    print(`npm run portal -- ${command.usage}\n\n${command.about.join('\n')}`)
    return 0
  }
  try {
    if ('runAlone' in command) return await command.runAlone(args, { settings: readSettings(environment), print })
    return await withDatabase(readSettings(environment), async (database, settings, migrated) => {
      // Standard output is reserved for the result: a script may read it.
      const log = pino(
        { level: settings.logLevel === 'info' ? 'silent' : settings.logLevel, base: null },
        pino.destination(2),
      )
      const { publicUrl, allowsPrivateFeeds, isEmbedded } = settings
      const where = whereIs(settings)
      const deps = { database, log, publicUrl, allowsPrivateFeeds, isEmbedded, where, migrated, print, readInput }
      return command.run(args, deps)
    })
  } catch (error) {
    console.error((error as Error).message)
    if (error instanceof UsageError) console.error(`\nUsage: npm run portal -- ${command.usage}`)
    return error instanceof UsageError || error instanceof UnknownSourceError ? MISUSED : 1
  }
}

async function withDatabase(
  settings: Settings,
  fn: (database: Database, settings: Settings, migrated: string[]) => Promise<number>,
): Promise<number> {
  const database = settings.databaseUrl
    ? openPostgres(settings.databaseUrl, { poolSize: 4 })
    : await openPglite(settings.dataDir, { isDurable: settings.isDurable })
  try {
    return await fn(database, settings, await migrate(database))
  } finally {
    await database.close()
  }
}

/** Names the database, so that a forgotten DATABASE_URL is noticed. Never includes the password. */
export function whereIs({ databaseUrl, dataDir }: Settings): string {
  if (!databaseUrl) return `on the embedded database in ${dataDir}`
  return `on ${locationOf(databaseUrl)}`
}

function help(): string {
  const commands = Object.values(COMMANDS).map(({ usage, about }) => `  ${usage}\n      ${about.join('\n      ')}`)
  return `Usage: npm run portal -- <command>\n\n${commands.join('\n\n')}\n\n  --help\n      Shows this help, or the help of a command.`
}

/** The first line of standard input, without its line ending. */
async function firstLine(): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
  const [line = ''] = Buffer.concat(chunks).toString('utf8').split(/\r?\n/)
  return line
}

if (import.meta.main)
  try {
    addEnvFile(process.env, process.cwd(), (line) => console.error(line))
    process.exitCode = await runCommand(process.argv.slice(2), process.env, (text) => console.log(text))
  } catch (error) {
    console.error((error as Error).message)
    process.exitCode = 1
  }
