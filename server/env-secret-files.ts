import { readFileSync } from 'node:fs'

type Environment = Record<string, string | undefined>

/**
 * Replaces every listed `NAME_FILE` by `NAME` with the text of that file, without the line end. Docker, Kubernetes and
 * systemd pass secrets this way, because other processes can easily read the environment.
 *
 * @throws one message that names every unreadable file and every value that is set twice.
 */
export function withFiles(environment: Environment, names: readonly string[]): Environment {
  const result = { ...environment }
  const problems: string[] = []
  for (const name of names) {
    const file = environment[`${name}_FILE`]
    if (!file) continue
    if (environment[name]) {
      problems.push(`${name} and ${name}_FILE are both set: remove one of them`)
      continue
    }
    try {
      const text = readFileSync(file, 'utf8').replace(/\r?\n$/, '')
      if (text === '') problems.push(`${name}_FILE: ${file} is empty`)
      result[name] = text
    } catch (error) {
      problems.push(`${name}_FILE: ${reasonOf(error as NodeJS.ErrnoException, file)}`)
    }
  }
  if (problems.length > 0)
    throw new Error(`Invalid settings in the environment:\n${problems.map((p) => `  ${p}`).join('\n')}`)
  return result
}

function reasonOf({ code }: NodeJS.ErrnoException, file: string): string {
  if (code === 'ENOENT') return `${file} does not exist`
  if (code === 'EACCES') return `the user that runs the portal cannot read ${file}`
  return `${file} cannot be read (${code})`
}
