import { KM_PER_DEGREE } from '#shared/churches/box.ts'
import type { Point } from '#shared/churches/distance.ts'
import type { CityLabel } from '#shared/churches/endpoints.ts'
import { type Outlines, pathsIn } from './outlines.ts'
import type { Spot, View } from './view.ts'

/** What is on a map besides land and names. */
export interface Marks {
  /** Numbered as in the list; without numbers a single church. */
  pins: readonly (Point & { number?: number })[]
  /** Where a group meets somewhere around. */
  areas: readonly (Point & { number: number })[]
  /** Where the search begins. */
  here: Point | null
}

/** About half the width of the 0.1 degree cell of an approximate locale. */
const AREA_KM = 6
const MAX_LABELS = 9
const CHARACTER = 7.4
const LINE = 16
const MAX_SCALE_PIXELS = 110

// The tokens of maps (web/churches/map): an image cannot read those of the page. Its theme is that of the element.
const STYLE = `svg{--sea:#d3dfef;--land:#eef1f5;--line:#b4bfcf;--ink:#131a26;--muted:#4b5666;--pin:#1e40af;--area:#657186}
@media (prefers-color-scheme:dark){svg{--sea:#111a29;--land:#212b3b;--line:#4a5a75;--ink:#edf1f7;--muted:#a8b3c4;--pin:#3a5fdd;--area:#8a97ab}}
.s{fill:var(--sea)}.l{fill:var(--land);stroke:var(--line)}.b{fill:none;stroke:var(--line);stroke-opacity:.6}
text{font:14px system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","Noto Sans Arabic",Arial,sans-serif;fill:var(--muted);paint-order:stroke;stroke:var(--land);stroke-width:3px;stroke-linejoin:round}
.d{fill:var(--muted)}.p{fill:var(--pin);stroke:#fff;stroke-width:2}.n{font-weight:700;fill:#fff;stroke:none;text-anchor:middle}
.a{fill:var(--area);fill-opacity:.14;stroke:var(--area);stroke-width:1.5;stroke-dasharray:5 4}.h{fill:var(--ink);stroke:#fff;stroke-width:2}
.k{fill:none;stroke:var(--ink);stroke-width:1.5}.t{fill:var(--ink)}`

/** A map as an SVG image: land, borders, cities, churches and the scale. Works without scripts and without tiles. */
export function drawMap(view: View, outlines: Outlines, cities: readonly CityLabel[], marks: Marks): string {
  const { width, height } = view
  const { land, borders } = pathsIn(outlines, view)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    `<style>${STYLE}</style><rect class="s" width="${width}" height="${height}"/>`,
    `<path class="l" d="${land}"/><path class="b" d="${borders}"/>`,
    ...marks.areas.map((area) => areaAt(view.toPixels(area), AREA_KM / view.kmPerPixel)),
    ...labelsIn(view, cities, marks),
    marks.here ? dot('h', view.toPixels(marks.here), 7) : '',
    ...marks.areas.map((area) => numberAt(view.toPixels(area), area.number, false)),
    ...marks.pins.toReversed().map((pin) => pinAt(view.toPixels(pin), pin.number)),
    scaleBar(view),
    '</svg>',
  ].join('')
}

const at = (value: number) => Math.round(value)
const dot = (type: string, { x, y }: Spot, radius: number) =>
  `<circle class="${type}" cx="${at(x)}" cy="${at(y)}" r="${radius}"/>`
/** North and south of an area, so that a view contains all of it. */
export const edgesOf = ({ latitude, longitude }: Point): Point[] =>
  [-1, 1].map((side) => ({ latitude: latitude + (side * AREA_KM) / KM_PER_DEGREE, longitude }))

const areaAt = (spot: Spot, radius: number) => dot('a', spot, at(Math.max(10, radius)))

function pinAt(spot: Spot, number: number | undefined): string {
  if (number === undefined)
    return `${dot('p', spot, 15)}<circle fill="#fff" cx="${at(spot.x)}" cy="${at(spot.y)}" r="5"/>`
  return dot('p', spot, 14) + numberAt(spot, number, true)
}

const numberAt = ({ x, y }: Spot, number: number, isOnPin: boolean) =>
  `<text class="${isOnPin ? 'n' : 't'}" text-anchor="middle" x="${at(x)}" y="${at(y) + 5}">${number}</text>`

interface Rect {
  left: number
  top: number
  right: number
  bottom: number
}

const overlaps = (a: Rect, b: Rect) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
const around = ({ x, y }: Spot, radius: number): Rect => ({
  ...{ left: x - radius, right: x + radius, top: y - radius, bottom: y + radius },
})

/** Names of the largest cities that fit, none across another name, a pin or the scale. */
function labelsIn(view: View, cities: readonly CityLabel[], { pins, areas, here }: Marks): string[] {
  const taken = [...pins, ...areas, ...(here ? [here] : [])].map((mark) => around(view.toPixels(mark), 16))
  taken.push({ left: 0, right: MAX_SCALE_PIXELS + 30, top: view.height - 46, bottom: view.height })
  const labels: string[] = []
  for (const city of cities) {
    if (labels.length === MAX_LABELS) break
    const spot = view.toPixels(city)
    const placed = placeFor(city.name, spot, view, taken)
    if (!placed) continue
    taken.push(placed.rect, around(spot, 4))
    const { x, anchor } = placed
    labels.push(
      `${dot('d', spot, 3)}<text text-anchor="${anchor}" x="${at(x)}" y="${at(spot.y) + 5}">${escaped(city.name)}</text>`,
    )
  }
  return labels
}

/** To the right of its dot or to the left, or further off: a church is often in the middle of its city. */
function placeFor(name: string, { x, y }: Spot, { width, height }: View, taken: readonly Rect[]) {
  const length = [...name].length * CHARACTER
  for (const [off, isRight] of [
    [8, true],
    [8, false],
    [22, true],
    [22, false],
  ] as const) {
    const start = isRight ? x + off : x - off - length
    const rect = { left: start, right: start + length, top: y - LINE / 2, bottom: y + LINE / 2 }
    const isInside = rect.left > 4 && rect.right < width - 4 && rect.top > 4 && rect.bottom < height - 4
    if (isInside && !taken.some((other) => overlaps(rect, other)))
      return { rect, x: isRight ? start : x - off, anchor: isRight ? 'start' : 'end' }
  }
  return null
}

/** A length of 1, 2 or 5 kilometres, or ten, a hundred or a thousand times that. */
function scaleBar({ kmPerPixel, height }: View): string {
  const max = MAX_SCALE_PIXELS * kmPerPixel
  const power = 10 ** Math.floor(Math.log10(max))
  const km = ([5, 2, 1].find((step) => step * power <= max) ?? 1) * power
  const length = at(km / kmPerPixel)
  const [x, y] = [16, height - 16]
  const text = km < 1 ? `${Math.round(km * 1_000)} m` : `${km.toLocaleString('en')} km`
  return `<text class="t" x="${x + 2}" y="${y - 8}">${text}</text><path class="k" d="M${x} ${y - 6}v6h${length}v-6"/>`
}

const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
