import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'

type Theme = 'light' | 'dark'

const css = readFileSync(path.join(import.meta.dirname, 'tokens.css'), 'utf8')
const tokens = new Map(
  [...css.matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)/g)].map(([, name, light, dark]) => [
    name!,
    { light: light!, dark: dark! },
  ]),
)

const TEXT = 4.5
const EDGE = 3

// Colour pairs used by the pages: foreground and background.
const PAIRS: [front: string, back: string, least: number][] = [
  ...['ground', 'surface', 'sunken', 'soft'].flatMap((back): [string, string, number][] => [
    ['ink', back, TEXT],
    ['muted', back, TEXT],
    ['link', back, TEXT],
  ]),
  ['edge', 'surface', EDGE],
  ['edge', 'ground', EDGE],
  ['#ffffff', 'primary', TEXT],
  ['#ffffff', 'band', TEXT],
  ['ok', 'ok-soft', TEXT],
  ['ink', 'ok-soft', TEXT],
  ['ok', 'surface', TEXT],
  ['bad', 'bad-soft', TEXT],
  ['ink', 'bad-soft', TEXT],
  ['bad', 'surface', TEXT],
  ['bad', 'ground', TEXT],
  ['unknown', 'unknown-fill', TEXT],
  ['ink', 'unknown-fill', TEXT],
  ['muted', 'unknown-fill', TEXT],
  ['link', 'unknown-fill', TEXT],
  ['unknown-edge', 'unknown-fill', EDGE],
  ['unknown-edge', 'ground', EDGE],
  ...['emergency', 'critical', 'warning', 'caution', 'info'].map((level): [string, string, number] => [
    `on-${level}`,
    level,
    TEXT,
  ]),
]

describe.each<Theme>(['light', 'dark'])('contrast, %s', (theme) => {
  test.each(PAIRS)('%s on %s is at least %d', (front, back, least) => {
    expect(contrast(colour(front, theme), colour(back, theme))).toBeGreaterThanOrEqual(least)
  })
})

test('the primary colour matches the specification', () => {
  expect(colour('primary', 'light')).toBe('#1e40af')
})

function colour(name: string, theme: Theme): string {
  if (name.startsWith('#')) return name
  const pair = tokens.get(name)
  if (!pair) throw new Error(`tokens.css has no colour --${name}`)
  return pair[theme]
}

/** WCAG 2: ratio of the relative luminances. */
function contrast(a: string, b: string): number {
  const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

function luminance(hex: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
