/** Countries as select options. */
export function CountryOptions({ countries }: { countries: readonly { code: string; name: string }[] }) {
  return countries.map(({ code, name }) => (
    <option key={code} value={code}>
      {name}
    </option>
  ))
}
