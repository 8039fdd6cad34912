import { expect, test } from 'vitest'
import { inBackground } from '#server/db/claims.ts'
import { testApp } from '#server/testing/app.ts'
import { testDatabase } from '#server/testing/database.ts'
import { insertAdvisory, insertSource } from '#server/testing/factory.ts'
import { ASSISTANT_LANGUAGE_CODES } from '#shared/assistant/languages.ts'
import { phrase } from './phrases/phrases.ts'
import { answerTo, RATES_OF_TESTS, sharedUnderstanding } from './testing.ts'

const NOW = new Date('2026-03-10T09:00:00Z')
const understand = sharedUnderstanding()

/** A portal with only these sources, each with an advisory for Japan that changed in January. */
async function portal(sources: Parameters<typeof insertSource>[1][], { hasAdvisories = true } = {}) {
  const database = await testDatabase()
  await inBackground(database, 'test', async (db) => {
    for (const source of sources) {
      const { id: source_id } = await insertSource(db, source)
      if (hasAdvisories)
        await insertAdvisory(db, {
          ...{ source_id, title: 'Japan: Level 2', country_codes: ['JP'] },
          last_updated: new Date('2026-01-05T00:00:00Z'),
        })
    }
  })
  return testApp(database, { now: () => NOW, assistant: { rates: RATES_OF_TESTS, understand } })
}
const advisoryOf = ({ metadata }: Awaited<ReturnType<typeof answerTo>>) =>
  metadata.citations.find(({ kind }) => kind === 'advisory')

test('a live source shows when the advisory changed and when the source was confirmed', async () => {
  const app = await portal([{ last_success_at: NOW, last_attempt_at: NOW }])
  const reply = await answerTo(app, 'Is it safe in Japan?')
  expect(advisoryOf(reply)).toMatchObject({ changed_on: '2026-01-05', checked_on: '2026-03-10', is_expired: false })
})

test('an unreachable source is named and was last confirmed at its last success', async () => {
  const last = new Date('2026-02-01T00:00:00Z')
  const app = await portal([{ name: 'Elbonia', last_success_at: last, last_attempt_at: NOW, error: 'away' }])
  const reply = await answerTo(app, 'Is it safe in Japan?')
  expect(advisoryOf(reply)).toMatchObject({ changed_on: '2026-01-05', checked_on: '2026-02-01', is_expired: true })
  expect(reply.content).toContain('We could not read these sources recently, so something may be missing: Elbonia')
})

test('a saved extract has no confirmation date and is labelled as a copy', async () => {
  const app = await portal([{ name: 'Elbonia', last_success_at: null, captured_on: '2025-10-08' }])
  const reply = await answerTo(app, 'Is it safe in Japan?')
  expect(advisoryOf(reply)).toMatchObject({ changed_on: '2026-01-05', checked_on: null, is_expired: true })
  expect(reply.content).toContain('For these sources we only have a saved copy, not re-checked: Elbonia')
})

test.each(ASSISTANT_LANGUAGE_CODES)(
  'before any source was read there is no information and no all-clear, in %s',
  async (language) => {
    const app = await portal([{ last_success_at: null, last_attempt_at: null }], { hasAdvisories: false })
    const { content, metadata } = await answerTo(app, 'Is it safe in Japan?', { language })
    const [before] = phrase(language, 'advisories_unread', { country: '|' }).split('|')
    const none = phrase(language, 'advisories_none', { country: '|' }).split('|')[0]!
    expect(content.replace(/[\u2068\u2069]/g, '')).toContain(before)
    if (none.trim() !== '') expect(content).not.toContain(none)
    expect(metadata.status).toBe('partly')
  },
)
