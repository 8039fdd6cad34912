interface ChapterChoice {
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

export function CountryOptions({ countries }: { countries: readonly { code: string; name: string }[] }) {
  return countries.map(({ code, name }) => (
    <option key={code} value={code}>
      {name}
    </option>
  ))
}
