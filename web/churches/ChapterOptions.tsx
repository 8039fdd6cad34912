/** A local chapter as it is chosen. */
export interface ChapterChoice {
  id: string
  chapter_name: string
  city: string | null
}

export function ChapterOptions({ chapters }: { chapters: readonly ChapterChoice[] }) {
  return chapters.map(({ id, chapter_name, city }) => (
    <option key={id} value={id}>
      {city ? `${chapter_name} (${city})` : chapter_name}
    </option>
  ))
}
