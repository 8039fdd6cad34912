import { describe, expect, test } from 'vitest'
import countries from '#shared/countries/countries.json' with { type: 'json' }
import { LANGUAGES } from '#shared/language.ts'
import { registerMessages } from '#web/lib/i18n.tsx'
import file from './country-outlines.json' with { type: 'json' }
import { outlineIn } from './outline.server.ts'
import { type CountryOutline, OUTLINE_HEIGHT, OUTLINE_WIDTH } from './outline.ts'

const outlines = file as unknown as Record<string, CountryOutline>

for (const language of LANGUAGES) {
  const { default: texts } = await import(`../../public/locales/${language}/maps.json`, { with: { type: 'json' } })
  registerMessages(language, 'maps', texts)
}

test('every entry of the country reference has a map, and nothing else', () => {
  expect(Object.keys(outlines).sort()).toEqual(countries.map(({ code }) => code).sort())
})

describe.each(Object.entries(outlines))('%s', (code, outline) => {
  test('is recognisable: a shape or a ring, within the frame, with a scale', () => {
    const points = pointsOf(outline.self)
    expect(points.length > 0 || outline.ring !== undefined).toBe(true)
    for (const [x, y] of [...points, ...(outline.ring ? [outline.ring] : [])]) expectWithin(x, y)
    expect(outline.scale.units).toBeGreaterThanOrEqual(20)
    expect(outline.scale.units).toBeLessThanOrEqual(110)
  })

  test('is small', () => {
    expect(JSON.stringify(outline).length).toBeLessThanOrEqual(4_600)
  })

  // A shape cut at the 180th meridian and drawn on both sides would leave a line across the whole map.
  test('has no straight line across the map, other than along its edge', () => {
    for (const part of outline.borders.split('M').slice(1)) {
      const line = pointsOf(`M${part}`)
      for (let i = 1; i < line.length; i++) {
        const [[x0, y0], [x1, y1]] = [line[i - 1]!, line[i]!]
        if (Math.abs(x1 - x0) === OUTLINE_WIDTH + 4) throw new Error(`${code}: ${x0},${y0} to ${x1},${y1}`)
      }
    }
  })

  test('has its names within the frame', () => {
    for (const { at } of [...outline.names, ...outline.cities]) expectWithin(...at)
    if (outline.capital) expectWithin(...outline.capital.at)
    expect(outline.names.map(({ code }) => code)).not.toContain(code)
  })
})

// Each lies on both sides of the 180th meridian, and is in one piece.
test.each(['FJ', 'RU', 'NZ', 'KI', 'US', 'TV', 'AQ'])('%s is in the middle of its map', (code) => {
  const xs = pointsOf(outlines[code]!.self).map(([x]) => x)
  const middle = (Math.min(...xs) + Math.max(...xs)) / 2
  expect(middle).toBeGreaterThan(OUTLINE_WIDTH * 0.3)
  expect(middle).toBeLessThan(OUTLINE_WIDTH * 0.7)
})

test('names are in the language of the reader', async () => {
  expect(await outlineIn('QA', 'en')).toMatchObject({ capital: { name: 'Doha' }, scale: { text: '100 km' } })
  const arabic = await outlineIn('QA', 'ar')
  expect(arabic?.capital?.name).toBe('الدوحة')
  expect(arabic?.names.map(({ name }) => name)).toContain('السعودية')
  expect(arabic?.scale.text).toBe('100 كم')
})

test.each(['', 'qa', 'ZZ', 'QAT', '__proto__', 'constructor', '../QA', '<svg>'])('%j has no map', async (code) => {
  expect(await outlineIn(code, 'en')).toBeNull()
})

function expectWithin(x: number, y: number) {
  expect(x).toBeGreaterThanOrEqual(-4)
  expect(x).toBeLessThanOrEqual(OUTLINE_WIDTH + 4)
  expect(y).toBeGreaterThanOrEqual(-4)
  expect(y).toBeLessThanOrEqual(OUTLINE_HEIGHT + 4)
}

/** The corners of a path of relative lines. */
function pointsOf(path: string): [number, number][] {
  return [...path.matchAll(/M([^lz]*)(?:l([^Mz]*))?z?/g)].flatMap(([, start = '', steps = '']) => {
    const numbers = (text: string) => (text.match(/-?\d+/g) ?? []).map(Number)
    let [x, y] = numbers(start) as [number, number]
    const points: [number, number][] = [[x, y]]
    const moves = numbers(steps)
    for (let i = 0; i < moves.length; i += 2) {
      x += moves[i]!
      y += moves[i + 1]!
      points.push([x, y])
    }
    return points
  })
}
