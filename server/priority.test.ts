import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { expect, test } from 'vitest'

const SAYS = `
  import { readdirSync, readFileSync } from 'node:fs'
  const { stepBack } = await import(${JSON.stringify(path.join(import.meta.dirname, 'priority.ts'))})
  stepBack()
  const priorityOf = (thread) => readFileSync('/proc/self/task/' + thread + '/stat', 'utf8').split(') ').at(-1).split(' ')[16]
  console.log(readdirSync('/proc/self/task').map(priorityOf).join(' '))`

test.skipIf(process.platform !== 'linux')('a background process lowers the priority of all its threads', () => {
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', SAYS], { encoding: 'utf8' })
  const priorities = output.trim().split(' ').map(Number)
  expect(priorities.length).toBeGreaterThan(1)
  expect(priorities.every((priority) => priority >= 10)).toBe(true)
})
