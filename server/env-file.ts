import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { parseEnv } from 'node:util'

type Environment = Record<string, string | undefined>

/**
 * Adds the settings of a `.env` file in a folder to an environment, whose own values win, and logs that it did. Does
 * nothing when there is no such file.
 *
 * @throws one clear message when the file exists and cannot be read.
 */
export function addEnvFile(environment: Environment, folder: string, log: (line: string) => void): void {
  const file = path.join(folder, '.env')
  const text = textOf(file)
  if (text === undefined) return
  const settings = Object.entries(parseEnv(text))
  const added = settings.filter(([name]) => environment[name] === undefined)
  for (const [name, value] of added) environment[name] = value
  const overruled = settings.length - added.length
  log(
    `› Settings read from ${file}: ${added.length}${overruled ? `, and ${overruled} overridden by the environment` : ''}`,
  )
  if (process.platform !== 'win32' && statSync(file).mode & 0o004)
    log(`› Every user of this machine can read ${file}. If it holds a secret: chmod 600 .env`)
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    const why = code === 'EACCES' ? 'no permission' : code === 'EISDIR' ? 'it is a directory' : code
    throw new Error(
      `Cannot read the settings in ${file}: ${why}. Make it readable for the user that runs the portal, or remove it.`,
    )
  }
}
