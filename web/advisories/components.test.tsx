import { describe, expect, test } from 'vitest'
import { SEVERITIES } from '#shared/advisories/severity.ts'
import { translator } from '#web/lib/i18n.tsx'
import { AdvisoryCard } from './AdvisoryCard.tsx'
import { updatedText } from './card-texts.ts'
import { FilterForm } from './FilterForm.tsx'
import { Freshness } from './Freshness.tsx'
import { NO_FILTERS } from './filters.ts'
import { isVouchedFor } from './freshness-text.ts'
import { LoadingCards } from './LoadingCards.tsx'
import { markupOf, textOf } from './markup.tsx'
import { SeverityTag } from './SeverityTag.tsx'
import { statusText, typeText } from './status-text.ts'

const tAdvisory = translator('en', 'advisory')

describe('severity', () => {
  test('each level has its own label, in both languages (ADV-CARD-10)', () => {
    const labelsIn = (language: 'en' | 'ar') =>
      SEVERITIES.map((severity) => textOf(markupOf(<SeverityTag severity={severity} />, language)))
    expect(labelsIn('en')).toEqual(['EMERGENCY', 'CRITICAL', 'WARNING', 'CAUTION', 'INFO'])
    expect(new Set(labelsIn('ar')).size).toBe(5)
  })

  test('only an emergency pulses, unless the detail of an urgent one requests it (ADV-CARD-02, ADV-DETAIL-05)', () => {
    const pulses = (element: React.ReactElement) => /pulsing/.test(markupOf(element))
    expect(SEVERITIES.filter((severity) => pulses(<SeverityTag severity={severity} />))).toEqual(['emergency'])
    expect(pulses(<SeverityTag severity="info" isPulsing />)).toBe(true)
    expect(pulses(<SeverityTag severity="emergency" isPulsing={false} />)).toBe(false)
  })
})

describe('freshness', () => {
  const source = {
    state: 'confirmed',
    reading: 'confirmed',
    not_confirmed_since: null,
    last_success_at: '2026-09-27T16:28:00Z',
    captured_on: null,
  } as const
  const says = (more: object, language: 'en' | 'ar' = 'en') =>
    textOf(markupOf(<Freshness source={{ ...source, ...more }} />, language))

  test.each([
    [{}, 'Confirmed 27 Sep 2026, 16:28 UTC'],
    [
      { state: 'not_confirmed', not_confirmed_since: '2026-09-27T14:10:00Z' },
      'Not confirmed since 27 Sep 2026, 14:10 UTC',
    ],
    [{ state: 'not_confirmed', reading: 'not_read', last_success_at: null }, 'Not read yet'],
    [{ state: 'not_confirmed', reading: 'failed', last_success_at: null }, 'Could not be read yet'],
    [{ state: 'captured', captured_on: '2026-02-15', last_success_at: null }, 'Copy from 15 Feb 2026, not re-checked'],
    [{ state: 'manual', last_success_at: null }, 'Written by our team'],
    [{ state: 'off' }, 'Not read at the moment'],
  ])('%o: %s', (more, text) => expect(says(more)).toBe(text))

  test('keeps the two times separate', () => {
    const changed = { at: '2026-09-14T00:00:00Z', precision: 'day' } as const
    expect(textOf(markupOf(<Freshness source={source} changed={changed} />))).toBe(
      'Confirmed 27 Sep 2026, 16:28 UTC changed 14 Sep 2026',
    )
  })

  test('is solid only while the source is confirmed', () => {
    const solid = (['confirmed', 'manual', 'captured', 'not_confirmed', 'off'] as const).filter((state) =>
      isVouchedFor({ ...source, state }),
    )
    expect(solid).toEqual(['confirmed', 'manual'])
  })

  test('is translated into Arabic', () => {
    expect(says({ state: 'captured', captured_on: '2026-02-15' }, 'ar')).toContain('15 فبراير 2026')
  })
})

describe('card', () => {
  const card = {
    id: '0b0c7f0e-8b1e-4a55-9d5e-1f2a3b4c5d6e',
    title: 'النيجر: لا تسافر',
    title_language: 'ar',
    description: 'Crime & unrest',
    severity_level: 'emergency',
    is_urgent: true,
    countries: ['Niger', 'United Arab Emirates'],
    country_count: 5,
    source_id: 'us',
    wording: 'Level 4: Do Not Travel',
    language: 'en',
    last_updated: '2026-01-29T00:00:00Z',
    date_precision: 'day',
    pending_reason: null,
    captured_on: null,
  } as const
  const draw = (more: object = {}, isKnown = true) =>
    markupOf(
      <AdvisoryCard
        card={{ ...card, ...more, countries: [...card.countries] }}
        updated="29 Jan 2026"
        sourceName="United States"
        freshness="Confirmed 2 minutes ago"
        isKnown={isKnown}
      />,
    )

  test('shows level, date, title, text, source with its wording, place, freshness (ADV-CARD)', () => {
    expect(textOf(draw())).toBe(
      'EMERGENCY 29 Jan 2026 النيجر: لا تسافر Crime & unrest United States : “Level 4: Do Not Travel” Countries (5) Niger United Arab… +3 Confirmed 2 minutes ago View Details : النيجر: لا تسافر',
    )
  })

  test('marks the language of its texts', () => {
    expect(draw()).toMatch(/<h3[^>]*lang="ar" dir="auto"/)
    expect(draw()).toMatch(/<p[^>]*lang="en" dir="auto"/)
  })

  test.each([
    ['no_text', 'The source shows a lower level without a text. We keep the old level until the source repeats it.'],
    ['two_levels', 'The source shows a lower level. We keep the old level until the source repeats it.'],
    ['mass', 'The source lowered many levels at once. We keep the old level until we have checked.'],
  ])('marks a level whose source shows a lower one (%s)', (pending_reason, text) => {
    expect(textOf(draw({ pending_reason }))).toContain(text)
    expect(textOf(draw())).not.toContain('lower level')
  })

  test('has one link, to the advisory page', () => {
    expect(draw().match(/<a /g)).toHaveLength(1)
    expect(draw()).toContain(`href="/travel-advisories/${card.id}"`)
  })

  test('has a dashed footer while the source is not confirmed', () => {
    expect(draw({}, true)).not.toMatch(/unknown/)
    expect(draw({}, false)).toMatch(/unknown/)
  })

  test.each([
    ['2026-09-27T13:30:00Z', 'minute', '3 hours ago'],
    ['2026-09-27T16:39:00Z', 'minute', '1 minute ago'],
    ['2026-09-25T16:00:00Z', 'minute', '2 days ago'],
    ['2026-09-14T16:00:00Z', 'minute', '14 Sep 2026'],
    ['2026-09-27T00:00:00Z', 'day', '27 Sep 2026'],
    ['2026-09-28T00:00:00Z', 'minute', '28 Sep 2026'],
  ] as const)('changed %s (%s): %s (ADV-CARD-08)', (instant, precision, text) => {
    expect(updatedText('en', 'UTC', Date.parse('2026-09-27T16:40:00Z'), instant, precision)).toBe(text)
  })
})

test('status and type (ADV-DETAIL-02, -13)', () => {
  expect(statusText(tAdvisory, true, true)).toBe('Active • Urgent')
  expect(statusText(tAdvisory, true, false)).toBe('Active')
  expect(statusText(tAdvisory, false, true)).toBe('Inactive • Urgent')
  expect([
    typeText(tAdvisory, 'security'),
    typeText(tAdvisory, null),
    typeText(tAdvisory, ''),
    typeText(tAdvisory, 'volcanic_ash'),
  ]).toEqual(['Security', 'General', 'General', 'Volcanic ash'])
})

test('six skeletons while loading, with text (ADV-PAGE-21, -22)', () => {
  const markup = markupOf(<LoadingCards />)
  expect(markup.match(/data-skeleton="card"/g)).toHaveLength(6)
  expect(textOf(markup)).toBe('Loading Latest Advisories... Fetching latest advisories...')
})

test('the form has its texts and levels, and works without scripts (ADV-PAGE-08, -10, -11)', () => {
  const refreshing = { isBusy: false, hasFailed: false, refreshedAt: '', refresh: () => {} }
  const form = (hasOwnCountries: boolean) =>
    markupOf(
      <FilterForm
        filters={{ ...NO_FILTERS, country: 'JP' }}
        hasOwnCountries={hasOwnCountries}
        refreshing={refreshing}
      />,
    )
  const markup = form(false)
  expect(markup).toContain('placeholder="Search countries, titles, content..."')
  expect([...markup.matchAll(/<option[^>]*>([^<]+)/g)].map(([, text]) => text)).toEqual([
    'All Levels',
    'Emergency',
    'Critical',
    'Warning',
    'Caution',
    'Info',
  ])
  expect(markup).toMatch(/<form[^>]*action="\/travel-advisories" method="get"/)
  expect(markup).toContain('<input type="hidden" name="country" value="JP"/>')
  expect(markup).toMatch(/<details[^>]*open=""/)
  // Only users with their own countries get the toggle (ADV-PAGE-12).
  expect(markup).not.toContain('name="mine"')
  expect(form(true)).toContain('name="mine"')
})
