import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'

// Requirement numbers only: OWASP ASVS 5.0.0, levels 1 and 2.
import asvs from './asvs.json' with { type: 'json' }

const ROOT = path.join(import.meta.dirname, '../..')
const STATES = ['met', 'operator', 'not applicable', 'open']
const document = readFileSync(path.join(ROOT, 'docs/security.md'), 'utf8')

const requirements = document
  .split('\n')
  .filter((line) => /^\| \d+\.\d+\.\d+ \|/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, id = '', asks = '', state = '', evidence = '', ...more]) => ({ id, asks, state, evidence, more }))

/** Files referenced in a text: in backquotes relative to the root, in links relative to the folder of the document. */
function filesIn(text: string): string[] {
  const quoted = [...text.matchAll(/`([\w@.-]+(?:\/[\w@.-]*)+|[A-Z]\w+\.md|Dockerfile|[\w.-]+\.(?:json|yaml))`/g)]
  const linked = [...text.matchAll(/\]\(([^)#]+)\)/g)]
  return [
    ...quoted.map(([, file]) => path.join(ROOT, file!)),
    ...linked.map(([, file]) => path.join(ROOT, 'docs', file!)),
  ]
}

test('the document contains every requirement of levels 1 and 2 once', () => {
  expect([asvs.level1.length, asvs.level2.length]).toEqual([70, 183])
  const byNumber = (a: string, b: string) => a.localeCompare(b, 'en', { numeric: true })
  const found = requirements.map(({ id }) => id)
  expect(found.toSorted(byNumber)).toEqual([...asvs.level1, ...asvs.level2].toSorted(byNumber))
})

test('every requirement has a text, one of the four states and evidence', () => {
  for (const { id, asks, state, evidence, more } of requirements) {
    expect(STATES, id).toContain(state)
    expect([id, asks !== '', evidence !== '', more]).toEqual([id, true, true, ['']])
    if (state === 'open') expect(evidence, id).toMatch(/^(low|medium|high): /)
  }
})

describe('evidence', () => {
  test('every file named in the document exists', () => {
    const missing = document
      .split('\n')
      .flatMap((line) => filesIn(line))
      .filter((file) => !existsSync(file))
    expect(missing).toEqual([])
  })

  test('requirements that are met, or left to the operator, name a file or a section of the document', () => {
    const bare = requirements.filter(
      ({ state, evidence }) =>
        (state === 'met' || state === 'operator') &&
        filesIn(evidence).length === 0 &&
        sectionsIn(evidence).length === 0,
    )
    // Requirements that React, Node or a language schema meets have no file of ours, but must name a section.
    expect(bare.map(({ id }) => id)).toEqual([])
  })

  test('every section referenced by evidence exists', () => {
    for (const { id, evidence } of requirements)
      for (const section of sectionsIn(evidence)) expect(document, id).toContain(`\n## ${section}\n`)
  })
})

/** Sections of this document: "Limits" below. */
const sectionsIn = (evidence: string) => [...evidence.matchAll(/"([^"]+)" below/g)].map(([, section]) => section!)

test('the counts in the summary match the tables', () => {
  for (const [level, ids] of [
    [1, asvs.level1],
    [2, asvs.level2],
  ] as const) {
    const of = requirements.filter(({ id }) => ids.includes(id))
    const counts = STATES.map((state) => of.filter((one) => one.state === state).length)
    expect(document).toContain(`| ${level} | ${counts.join(' | ')} | ${ids.length} |`)
  }
})
