import { expect, test } from 'vitest'
import { createCountries } from '#server/countries/reference.ts'
import { administration, haiti } from './testing.ts'

const { ask, audits, create, publicTitles } = await administration()

test('hostile markup is sanitised, in the public text and in the preview', async () => {
  const detailed_information =
    '<h1>Now</h1><script>alert(1)</script><p onclick="x()">Go <a href="javascript:x()">here</a> or <a href="/map">there</a></p><img src=x onerror=alert(1)><svg onload=x()><iframe src="//evil"></iframe>'
  const { body } = await ask('POST', '/admin/travel-advisories/preview', haiti({ detailed_information }))
  const { id } = await create({ detailed_information, title: 'Haiti <script>alert(1)</script>' })
  const shown = (await ask('GET', `/travel-advisories/${id}`, undefined, null)).body.advisory
  expect(body.advisory.detailed_information).toBe(shown.detailed_information)
  expect(shown.detailed_information).not.toMatch(/script|onclick|onerror|javascript|svg|iframe|img/i)
  expect(shown.detailed_information).toContain('<h3>Now</h3>')
  expect(shown.detailed_information).toContain('href="https://travel.example/map"')
})

test('plain text becomes paragraphs, every script is preserved, and lists keep their order without duplicates', async () => {
  const { id } = await create({
    title: 'هايتي: مستوى التأهب 3',
    language: 'ar',
    detailed_information: 'Prices < 5 & rising.\n\nSecond\nline.',
    recommendations: ['سجّل لدى السفارة', '', 'Umalis agad', 'سجّل لدى السفارة', '离开'],
    countries: ['هايتي', 'JP', 'Côte d’Ivoire', 'Japan, Peru'],
  })
  const shown = (await ask('GET', `/travel-advisories/${id}`, undefined, null)).body.advisory
  expect(shown.detailed_information).toBe('<p>Prices &lt; 5 &amp; rising.</p>\n<p>Second<br>line.</p>')
  expect(shown.recommendations).toEqual(['سجّل لدى السفارة', 'Umalis agad', '离开'])
  expect(shown.country_codes).toEqual(['HT', 'JP', 'CI', 'PE'])
  expect(shown.title).toBe('هايتي: مستوى التأهب 3')
})

test('the longest allowed lists are written and read', async () => {
  const many = (label: string) => Array.from({ length: 200 }, (_, i) => `${label} ${i}`)
  const { id } = await create({
    affected_regions: many('Region'),
    affected_cities: many('City'),
    recommendations: many('Do'),
    countries: createCountries()
      .all()
      .map(({ code }) => code),
  })
  const shown = (await ask('GET', `/travel-advisories/${id}`, undefined, null)).body.advisory
  expect([shown.recommendations.length, shown.affected_cities.length]).toEqual([200, 200])
  expect(shown.country_codes.length).toBeGreaterThan(240)
})

test('a preview lists the changes and what would keep the advisory off the list, and writes nothing', async () => {
  const made = await create()
  const before = await audits()
  const preview = await ask('POST', '/admin/travel-advisories/preview', {
    ...haiti({ title: 'TEST: Haiti' }),
    id: made.id,
  })
  expect(preview.body).toMatchObject({
    removal: 'test',
    advisory: { title: 'TEST: Haiti', version: 2 },
    changes: [{ field: 'title', before: 'Haiti: Alert level 3', after: 'TEST: Haiti' }],
  })
  expect(await audits()).toEqual(before)
  expect(await publicTitles()).toEqual(['Haiti: Alert level 3'])
})
