/** A local chapter as a select option. */
export interface ChapterChoice {
  id: string
  chapter_name: string
  city: string | null
}

export const chapterLabel = ({ chapter_name, city }: ChapterChoice) =>
  city ? `${chapter_name} (${city})` : chapter_name

export function ChapterOptions({ chapters }: { chapters: readonly ChapterChoice[] }) {
  return chapters.map((chapter) => (
    <option key={chapter.id} value={chapter.id}>
      {chapterLabel(chapter)}
    </option>
  ))
}
