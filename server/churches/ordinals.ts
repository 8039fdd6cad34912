/** Lists of ordinals, concatenated in one array; each extends from its start to the start of the next. */
export interface Lists {
  starts: Uint32Array
  ordinals: Uint32Array
}

/** Up to this share of all ordinals a union is sorted; a larger one uses a bitmap. */
const SMALL_SHARE = 1 / 16

/** Sorted union of these lists; `count` is above every ordinal. */
export function unionOf(lists: Lists, which: ArrayLike<number>, count: number): Uint32Array {
  const { starts, ordinals } = lists
  const only = which[0]
  if (only === undefined) return new Uint32Array()
  if (which.length === 1) return ordinals.subarray(starts[only], starts[only + 1])
  let size = 0
  forEachList(lists, which, (start, end) => {
    size += end - start
  })
  if (size < count * SMALL_SHARE) {
    const all = new Uint32Array(size)
    let at = 0
    forEachList(lists, which, (start, end) => {
      for (let from = start; from < end; from++) all[at++] = ordinals[from]!
    })
    return all.sort().filter((ordinal, i) => i === 0 || ordinal !== all[i - 1])
  }
  const marks = new Uint8Array(count)
  forEachList(lists, which, (start, end) => {
    for (let from = start; from < end; from++) marks[ordinals[from]!] = 1
  })
  const found = new Uint32Array(count)
  let at = 0
  for (let ordinal = 0; ordinal < count; ordinal++) if (marks[ordinal] === 1) found[at++] = ordinal
  return found.slice(0, at)
}

/** Visits the bounds of these lists. An index loop: a piece may occur in tens of thousands of words. */
function forEachList({ starts }: Lists, which: ArrayLike<number>, visit: (start: number, end: number) => void): void {
  for (let i = 0; i < which.length; i++) {
    const list = which[i]!
    visit(starts[list]!, starts[list + 1]!)
  }
}

/** Concatenates separate lists. */
export function listsOf(lists: readonly Uint32Array[]): Lists {
  const starts = new Uint32Array(lists.length + 1)
  let end = 0
  lists.forEach((list, i) => {
    end += list.length
    starts[i + 1] = end
  })
  const ordinals = new Uint32Array(end)
  lists.forEach((list, i) => {
    ordinals.set(list, starts[i])
  })
  return { starts, ordinals }
}

/** Sorted intersection of both. */
export function common(a: Uint32Array, b: Uint32Array): Uint32Array {
  if (a === b) return a
  const both = new Uint32Array(Math.min(a.length, b.length))
  let count = 0
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const [x, y] = [a[i]!, b[j]!]
    if (x === y) both[count++] = x
    if (x <= y) i++
    if (y <= x) j++
  }
  return both.slice(0, count)
}
