import { useId } from 'react'
import { Link } from 'react-router'
import type { OwnProfile } from '#shared/accounts/own.ts'
import { MAX_COUNTRIES } from '#shared/accounts/profile.ts'
import type { FormResult } from '#web/lib/form-result.ts'
import { useT } from '#web/lib/i18n.tsx'
import { Button } from '#web/ui/Button.tsx'
import { TextField } from '#web/ui/Field.tsx'
import { Form, Submit, useProblems } from '#web/ui/Form.tsx'
import styles from './Profile.module.css'
import { ProfileSection } from './ProfileSection.tsx'

export interface Country {
  code: string
  name: string
}

interface Props {
  profile: OwnProfile
  countries: Country[]
  /** `matches`: candidates for an ambiguous name. */
  tried: (FormResult & { matches?: Country[] }) | undefined
  isDone: boolean
}

/** The user's destination countries: added by name and removed by button, each saved at once. */
export function CountriesSection({ profile, countries, tried, isDone }: Props) {
  const t = useT('profile')
  const nameOf = (code: string) => countries.find((country) => country.code === code)?.name ?? code
  return (
    <ProfileSection
      id="countries"
      title={t('countries')}
      hint={t('countries_hint')}
      done={isDone && !tried && t('saved')}
    >
      {profile.countries.length === 0 ? (
        <p>{t('countries_none')}</p>
      ) : (
        <Form action="/dashboard/profile">
          <input type="hidden" name="intent" value="countries" />
          {/* biome-ignore lint/a11y/noRedundantRoles: some screen readers need the role on a list without markers */}
          <ul className={styles.list} role="list">
            {profile.countries.map((code) => (
              <li key={code} className={styles.item}>
                <Link to={`/countries/${code}`}>{nameOf(code)}</Link>
                <Button
                  type="submit"
                  isSmall
                  name="remove"
                  value={code}
                  aria-label={t('remove_named', { name: nameOf(code) })}
                >
                  {t('remove')}
                </Button>
              </li>
            ))}
          </ul>
        </Form>
      )}
      {profile.countries.length < MAX_COUNTRIES ? (
        <AddCountry countries={countries} tried={tried} />
      ) : (
        <p>{t('countries_full', { n: MAX_COUNTRIES })}</p>
      )}
    </ProfileSection>
  )
}

function AddCountry({ countries, tried }: Pick<Props, 'countries' | 'tried'>) {
  const t = useT('profile')
  const problem = useProblems(tried?.error)
  const list = useId()
  return (
    <Form action="/dashboard/profile" error={tried?.error?.code === 'unclear' ? undefined : tried?.error}>
      <input type="hidden" name="intent" value="countries" />
      <div className={styles.line}>
        <TextField
          key={tried?.values.country}
          label={t('add_country')}
          name="country"
          // The datalist popup would cover the buttons with the candidates.
          list={tried?.matches?.length ? undefined : list}
          autoComplete="off"
          dir="auto"
          maxLength={100}
          defaultValue={tried?.values.country}
          error={problem('country') ?? problem('countries')}
          autoFocus={tried?.error?.code === 'unclear'}
        />
        <Submit look="secondary">{t('add')}</Submit>
      </div>
      <datalist id={list}>
        {countries.map(({ code, name }) => (
          <option key={code} value={name} />
        ))}
      </datalist>
      {tried?.matches && tried.matches.length > 0 && (
        <div className={styles.buttons}>
          {tried.matches.map(({ code, name }) => (
            <Button key={code} type="submit" isSmall name="code" value={code}>
              {name}
            </Button>
          ))}
        </div>
      )}
    </Form>
  )
}
