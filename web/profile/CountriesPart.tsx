import { useId } from 'react'
import { Link } from 'react-router'
import type { OwnProfile } from '#shared/accounts/own.ts'
import { MOST_COUNTRIES } from '#shared/accounts/profile.ts'
import { useT } from '../lib/i18n.tsx'
import { Button } from '../ui/Button.tsx'
import { TextField } from '../ui/Field.tsx'
import { Form, Submit, useProblems } from '../ui/Form.tsx'
import { Part } from './Part.tsx'
import styles from './Profile.module.css'
import type { Tried } from './tried.ts'

interface Country {
  code: string
  name: string
}

interface Props {
  profile: OwnProfile
  countries: Country[]
  /** `matches`: what a name could have meant that was not clear. */
  tried: (Tried & { matches?: Country[] | undefined }) | undefined
  isDone: boolean
}

/** Where the person goes: a list that grows by a name and shrinks by a button, each saved at once. */
export function CountriesPart({ profile, countries, tried, isDone }: Props) {
  const t = useT('profile')
  const nameOf = (code: string) => countries.find((country) => country.code === code)?.name ?? code
  return (
    <Part id="countries" title={t('countries')} hint={t('countries_hint')} done={isDone && !tried && t('saved')}>
      {profile.countries.length === 0 ? (
        <p>{t('countries_none')}</p>
      ) : (
        <Form action="/dashboard/profile">
          <input type="hidden" name="intent" value="countries" />
          {/* biome-ignore lint/a11y/noRedundantRoles: a list without markers is no list to some readers unless it says so */}
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
      {profile.countries.length < MOST_COUNTRIES ? (
        <AddCountry countries={countries} tried={tried} />
      ) : (
        <p>{t('countries_full', { n: MOST_COUNTRIES })}</p>
      )}
    </Part>
  )
}

function AddCountry({ countries, tried }: Pick<Props, 'countries' | 'tried'>) {
  const t = useT('profile')
  const problem = useProblems(tried?.failure)
  const list = useId()
  return (
    <Form action="/dashboard/profile" failure={tried?.failure.code === 'unclear' ? undefined : tried?.failure}>
      <input type="hidden" name="intent" value="countries" />
      <div className={styles.line}>
        <TextField
          key={tried?.typed.country}
          label={t('add_country')}
          name="country"
          // The browser's own list would lie over the buttons that say what was meant.
          list={tried?.matches?.length ? undefined : list}
          autoComplete="off"
          dir="auto"
          maxLength={100}
          defaultValue={tried?.typed.country}
          error={problem('country') ?? problem('countries')}
          autoFocus={tried?.failure.code === 'unclear'}
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
