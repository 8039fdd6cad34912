import { readFileSync } from 'node:fs'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { Language } from '#shared/language.ts'
import { LanguageProvider, registerMessages } from '#web/lib/i18n.tsx'
import { AgeRow } from './AgeRow.tsx'
import { BarsByDay, percentOf } from './BarsByDay.tsx'
import { ShareBar } from './ShareBar.tsx'

for (const language of ['en', 'ar'] as const)
  for (const namespace of ['common', 'charts'] as const) {
    const file = new URL(`../../../public/locales/${language}/${namespace}.json`, import.meta.url)
    registerMessages(language, namespace, JSON.parse(readFileSync(file, 'utf8')))
  }

const markupOf = (element: ReactNode, language: Language = 'en') =>
  renderToStaticMarkup(<LanguageProvider language={language}>{element}</LanguageProvider>)
const textOf = (markup: string) =>
  markup
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

const day = (date: string, sent = 0, failed = 0, recorded = 0) => ({ day: date, sent, failed, recorded })
const WEEK = [day('2026-09-21', 412, 3), day('2026-09-22', 388), day('2026-09-23', 405, 9)]

test('messages by day say the sum, each day, and the same as a table', () => {
  const markup = markupOf(<BarsByDay days={WEEK} />)
  expect(textOf(markup)).toContain('1,205 sent · 12 failed (1%)')
  expect(textOf(markup)).toContain('Mon 412 Tue 388 9 Wed 405')
  expect(textOf(markup.slice(markup.indexOf('<table')))).toBe('Day Sent Failed 21 Sep 412 3 22 Sep 388 0 23 Sep 405 9')
})

test('what was only recorded is never called sent', () => {
  const text = textOf(markupOf(<BarsByDay days={[day('2026-09-21', 0, 0, 7)]} />))
  expect(text).toContain('7 recorded, not sent')
  expect(text).not.toMatch(/\d sent|none failed/)
})

test('no messages are said in words, without empty axes', () => {
  expect(markupOf(<BarsByDay days={[day('2026-09-21'), day('2026-09-22')]} />)).not.toContain('<figure')
  expect(textOf(markupOf(<BarsByDay days={[]} />))).toBe('No messages in these days.')
  expect(textOf(markupOf(<BarsByDay days={[]} />, 'ar'))).toBe('لا رسائل في هذه الأيام.')
})

test.each([
  [25, 3025, 0.8],
  [1, 3_000_000, 0.1],
  [1, 3, 33],
  [5, 5, 100],
])('%d of %d failed is %d percent: never rounded to none', (part, whole, percent) => {
  expect(percentOf(part, whole)).toBe(percent)
})

test('shares are in words below the bar, without those of nobody', () => {
  const markup = markupOf(
    <ShareBar
      label="Answers"
      shares={[
        { key: 'help', label: 'need help', value: 2, look: 'bad' },
        { key: 'safe', label: 'safe', value: 1_040, look: 'ok' },
        { key: 'silent', label: 'no answer', value: 0, look: 'unknown' },
      ]}
    />,
  )
  expect(textOf(markup)).toBe('2 need help 1,040 safe')
  expect(markup).toContain('flex-grow:1040')
  expect(textOf(markupOf(<ShareBar label="Answers" shares={[]} />))).toBe('Nobody was asked.')
})

test.each([
  [300, 'inline-size:50%', '5 min ago'],
  [600, 'inline-size:100%', '5 min ago (late)'],
  [-5, 'inline-size:0%', '5 min ago'],
  [null, 'inline-size:100%', '5 min ago (not known)'],
])('an age of %s seconds', (ageSeconds, size, text) => {
  const markup = markupOf(
    <AgeRow name="UK" ageSeconds={ageSeconds} limitSeconds={600}>
      5 min ago
    </AgeRow>,
  )
  expect(markup).toContain(size)
  expect(textOf(markup)).toBe(`UK ${text}`)
})
