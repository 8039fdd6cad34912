import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const WEB = path.resolve(import.meta.dirname, '..')

/**
 * Stripes and dashes mean "not confirmed" and nothing else. Style sheets that use them, each with what it shows that is
 * not confirmed. Whoever adds one says so here.
 */
const NOT_CONFIRMED: Record<string, string> = {
  'advisories/AdvisoryCard.module.css': 'an advisory that its source did not confirm',
  'advisories/NewsTicker.module.css': 'news of a source that was not read',
  'advisories/PendingLevel.module.css': 'a lower level that nobody accepted yet',
  'advisories/map/AdvisoryMap.module.css': 'a level that its source did not confirm',
  'advisories/SourceState.module.css': 'a source that was not read',
  'assistant/AnswerView.module.css': 'an answer without records',
  'assistant/DangerPanel.module.css': 'a number whose confirmation expired',
  'assistant/Locales.module.css': 'a church whose exact place is not shown',
  'assistant/Sources.module.css': 'a record whose confirmation expired',
  'churches/ChurchPanel.module.css': 'details that nobody confirmed lately',
  'churches/LocaleCard.module.css': 'a church whose exact place is not shown',
  'churches/map/LocatorMap.module.css': 'an area instead of an exact place',
  'content/SourcesToday.module.css': 'a source that was not read',
  'countries/CountryHead.module.css': 'a verdict of sources that were not read',
  'countries/SourceRows.module.css': 'what a source that was not read said',
  'countries/WhatChanged.module.css': 'an advisory that is missing from its source',
  'emergency/CallRow.module.css': 'a number that is missing, or was not confirmed lately',
  'emergency/ChooseCountry.module.css': 'a place that could not be found',
  'emergency/Emergency.module.css': 'a saved copy, which may be out of date',
  'emergency/Situations.module.css': 'advice that is not known for this country',
  'ui/charts/Charts.module.css': 'messages that were not sent; the patterns of answers are not diagonal',
  'ui/Chip.module.css': 'a state that is not known',
  'ui/Note.module.css': 'a state that is not known',
  'ui/Surface.module.css': 'content that is not confirmed',
}

test('stripes and dashes are used only for what is not confirmed', () => {
  const sheets = readdirSync(WEB, { recursive: true, encoding: 'utf8' })
    .map((file) => file.split(path.sep).join('/'))
    .filter((file) => file.endsWith('.css') && file !== 'ui/tokens.css')
  const users = sheets.filter((file) => {
    const css = readFileSync(path.join(WEB, file), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '')
    return /var\(--stripes\)|\bdashed\b|\bdotted\b|repeating-linear-gradient/.test(css)
  })
  expect(users.toSorted()).toEqual(Object.keys(NOT_CONFIRMED).toSorted())
})
