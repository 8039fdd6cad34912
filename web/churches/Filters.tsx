import { Link } from 'react-router'
import { DEFAULT_RADIUS_KM, RADII_KM } from '#shared/churches/radius.ts'
import { useT } from '#web/lib/i18n.tsx'
import { Button } from '#web/ui/Button.tsx'
import { RemovableChip } from '#web/ui/Chip.tsx'
import { SelectField } from '#web/ui/Field.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import styles from './Filters.module.css'
import type { Locator } from './locator.server.ts'
import { isNear, LOCATOR_PATH } from './search.ts'

interface Props {
  data: Locator
  /** The states of the newly chosen country have to be loaded. */
  onCountry: () => void
}

/** Folded: most visitors need the one field only. */
export function Filters({ data, onCountry }: Props) {
  const t = useT('churches')
  const { search } = data
  const active = [
    search.country,
    search.state_province,
    search.language,
    search.online,
    isNear(search) && search.radius !== DEFAULT_RADIUS_KM,
  ].filter(Boolean).length
  return (
    <details className={styles.filters}>
      <summary>
        <Icon name="sliders" />
        <span className={styles.title}>{t('filters')}</span>
        {active > 0 && <b className={styles.active}>{active}</b>}
      </summary>
      <div className={styles.panel}>
        <div className={styles.fields}>
          <CountryField data={data} onChange={onCountry} />
          {data.states.length > 0 && <StateField data={data} />}
          <SelectField label={t('within')} name="radius" defaultValue={search.radius}>
            {RADII_KM.map((km) => (
              <option key={km} value={km}>
                {t('km', { km })}
              </option>
            ))}
          </SelectField>
          <LanguageField data={data} />
        </div>
        <label className={styles.online}>
          <input type="checkbox" name="online" value="true" defaultChecked={search.online} />
          {t('filter_online')}
        </label>
        <HiddenFilters data={data} />
        <div className={styles.actions}>
          <Button type="submit" isSmall>
            {t('apply')}
          </Button>
          <Link to={LOCATOR_PATH} className={styles.clear}>
            {t('clear')}
          </Link>
        </div>
      </div>
    </details>
  )
}

/** Filters that are set by links, kept when the form is sent. */
function HiddenFilters({ data: { search, states } }: { data: Locator }) {
  return (
    <>
      {search.countries.length > 0 && <input type="hidden" name="countries" value={search.countries.join()} />}
      {search.city && <input type="hidden" name="city" value={search.city} />}
      {!states.length && search.state_province && (
        <input type="hidden" name="state_province" value={search.state_province} />
      )}
    </>
  )
}

function CountryField({ data: { search, countries, countryName }, onChange }: { data: Locator; onChange: () => void }) {
  const t = useT('churches')
  const isListed = !search.country || countries.some(({ code }) => code === search.country)
  return (
    <SelectField label={t('country')} name="country" defaultValue={search.country} onChange={onChange}>
      <option value="">{t('country_all')}</option>
      {!isListed && <option value={search.country}>{countryName}</option>}
      {countries.map(({ code, name, count }) => (
        <option key={code} value={code}>
          {t('country_option', { name, number: count })}
        </option>
      ))}
    </SelectField>
  )
}

function StateField({ data: { search, states } }: { data: Locator }) {
  const t = useT('churches')
  const isListed = !search.state_province || states.includes(search.state_province)
  return (
    <SelectField label={t('state')} name="state_province" defaultValue={search.state_province}>
      <option value="">{t('state_any')}</option>
      {!isListed && <option value={search.state_province}>{search.state_province}</option>}
      {states.map((state) => (
        <option key={state} value={state}>
          {state}
        </option>
      ))}
    </SelectField>
  )
}

function LanguageField({ data: { search, languages, languageName } }: { data: Locator }) {
  const t = useT('churches')
  const isListed = !search.language || languages.some(({ tag }) => tag === search.language)
  return (
    <SelectField label={t('language')} name="language" defaultValue={search.language}>
      <option value="">{t('language_any')}</option>
      {!isListed && <option value={search.language}>{languageName}</option>}
      {languages.map(({ tag, name }) => (
        <option key={tag} value={tag}>
          {name}
        </option>
      ))}
    </SelectField>
  )
}

/** Active filters by name, each a link that removes it: the fields are folded. */
export function Chips({ data: { chips } }: { data: Locator }) {
  const t = useT('churches')
  if (chips.length === 0) return null
  return (
    <div className={styles.chips}>
      {chips.map(({ text, to }) => (
        <RemovableChip key={text} to={to} label={t('filter_remove', { name: text })}>
          <bdi>{text}</bdi>
        </RemovableChip>
      ))}
    </div>
  )
}
