import { describe, expect, test } from 'vitest'
import { AdvisoryBanner, BANNER_OPTIONS, BANNER_REFRESH_MS, type BannerItem, bannerItems } from './AdvisoryBanner.tsx'
import { markupOf, textOf } from './markup.tsx'
import { NewsTicker } from './NewsTicker.tsx'

const item = (id: string, text: string, more: object = {}) => ({
  id,
  text,
  severity_level: 'warning' as const,
  is_urgent: false,
  language: 'en',
  country_codes: ['JP'],
  confirmed: true,
  ...more,
})

describe('ticker', () => {
  test('shows its state: items, nothing, or loading', () => {
    expect(textOf(markupOf(<NewsTicker items={[item('1', 'Japan: Storm')]} not_confirmed={[]} />))).toBe(
      'Latest WARNING Japan: Storm All advisories',
    )
    expect(textOf(markupOf(<NewsTicker items={[]} not_confirmed={[]} />))).toBe(
      'No travel news available All advisories',
    )
    expect(textOf(markupOf(<NewsTicker />))).toBe('Loading travel news... All advisories')
  })

  test('shows ten items by default, twelve on request (ADV-TICKER-11)', () => {
    const items = Array.from({ length: 24 }, (_, i) => item(String(i), `Item ${i}`))
    const count = (maxItems?: number) =>
      markupOf(<NewsTicker items={items} not_confirmed={[]} {...(maxItems && { maxItems })} />).match(/<li>/g)?.length
    expect(count()).toBe(10)
    expect(count(12)).toBe(12)
  })

  test('the pause button comes first and a silent source is named', () => {
    const markup = markupOf(<NewsTicker items={[item('1', 'Japan')]} not_confirmed={['Germany']} />)
    expect(markup.indexOf('Pause the news ticker')).toBeLessThan(markup.indexOf('Germany not confirmed'))
    expect(textOf(markupOf(<NewsTicker items={[]} not_confirmed={['A', 'B', 'A']} />))).toContain(
      '2 sources not confirmed',
    )
  })

  test('an item of a silent source says so, also to screen readers', () => {
    expect(
      textOf(markupOf(<NewsTicker items={[item('1', 'Sudan', { confirmed: false })]} not_confirmed={[]} />)),
    ).toContain('Sudan (Not confirmed)')
  })

  test('links to the list with that advisory open', () => {
    expect(markupOf(<NewsTicker items={[item('7', 'Japan')]} not_confirmed={[]} />)).toContain(
      '/travel-advisories?highlight=7',
    )
  })
})

describe('banner', () => {
  const advisory = (id: string, more: Partial<BannerItem> = {}): BannerItem => ({
    id,
    title: `Title ${id}`,
    language: 'en',
    severity_level: 'warning',
    is_urgent: false,
    last_updated: '2026-09-27T00:00:00Z',
    affected_countries: ['Japan', 'Korea', 'China', 'Taiwan'],
    country_codes: ['JP', 'KR', 'CN', 'TW'],
    ...more,
  })

  test('is absent without advisories and before they are loaded (ADV-BANNER-02)', () => {
    expect(markupOf(<AdvisoryBanner items={[]} />)).toBe('')
    expect(markupOf(<AdvisoryBanner />)).toBe('')
  })

  test('options: eight items, all of them, refreshed every 180000 ms (ADV-BANNER-13..16)', () => {
    expect(BANNER_OPTIONS).toEqual({ maxItems: 8, showOnlyUrgent: false, autoRefresh: true })
    expect(BANNER_REFRESH_MS).toBe(180_000)
    const items = Array.from({ length: 20 }, (_, i) => advisory(String(i), { is_urgent: i > 17 }))
    expect(
      bannerItems(items, BANNER_OPTIONS)
        .map(({ id }) => id)
        .slice(0, 3),
    ).toEqual(['18', '19', '0'])
    expect(bannerItems(items, BANNER_OPTIONS)).toHaveLength(8)
    expect(bannerItems(items, { ...BANNER_OPTIONS, showOnlyUrgent: true })).toHaveLength(2)
  })

  test('is coloured by the highest level, which is also written on it; urgent counts as emergency (ADV-BANNER-09..12)', () => {
    const level = (...items: BannerItem[]) =>
      /data-severity="(\w+)"/.exec(markupOf(<AdvisoryBanner items={items} />))?.[1]
    expect(level(advisory('1', { severity_level: 'info' }), advisory('2', { severity_level: 'critical' }))).toBe(
      'critical',
    )
    expect(level(advisory('1', { severity_level: 'info', is_urgent: true }))).toBe('emergency')
    expect(textOf(markupOf(<AdvisoryBanner items={[advisory('1')]} />))).toContain('WARNING')
  })

  test('an item has its level as text, two countries and the number of others, and links to the list with it open', () => {
    const markup = markupOf(<AdvisoryBanner items={[advisory('9')]} />)
    expect(textOf(markup)).toContain('WARNING: Title 9 Japan, Korea +2')
    expect(markup).toContain('/travel-advisories?highlight=9')
  })
})
