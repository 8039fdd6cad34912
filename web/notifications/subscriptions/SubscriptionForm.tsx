import { type ReactNode, useId } from 'react'
import { Link } from 'react-router'
import { ADVISORY_TYPES, SEVERITIES } from '#shared/advisories/severity.ts'
import { CHANNELS, type Channel } from '#shared/delivery/kinds.ts'
import type { Obstacle } from '#shared/notifications/subscriptions.ts'
import { useT } from '#web/lib/i18n.tsx'
import { Button } from '#web/ui/Button.tsx'
import { CheckField } from '#web/ui/CheckField.tsx'
import { SelectField, TextField } from '#web/ui/Field.tsx'
import { Form, Submit, useProblems } from '#web/ui/Form.tsx'
import { LanguageOptions } from '#web/ui/LanguageOptions.tsx'
import type { Answer } from './form.server.ts'
import styles from './Subscriptions.module.css'
import type { Values } from './values.ts'

interface Props {
  values: Values
  answer: Answer | undefined
  countries: { code: string; name: string }[]
  /** The profile's countries: offered beside the selected ones. */
  own: string[]
  obstacles: Partial<Record<Channel, Obstacle>>
}

/** Where each obstacle can be resolved. */
const REMEDIES: Record<Obstacle, string> = {
  no_phone: '/dashboard/profile/sign-in#phone',
  opted_out: '/notifications/preferences',
  no_browser: '/notifications/preferences',
  no_email: '/dashboard/profile/sign-in',
  switched_off: '/notifications/preferences',
}

/** Advisory filters and channels. Every button preserves the selection, with or without scripts. */
export function SubscriptionForm({ values, answer, countries, own, obstacles }: Props) {
  const t = useT('subscriptions')
  const problem = useProblems(answer?.error)
  const isUnclear = answer?.error?.code === 'unclear'
  return (
    <Form
      error={isUnclear ? undefined : answer?.error}
      isUnsaved={answer !== undefined}
      key={JSON.stringify(answer?.entered ?? values)}
    >
      {/* Enter saves, instead of pressing the first button of the form. */}
      <button type="submit" name="intent" value="save" className="visually-hidden" tabIndex={-1} aria-hidden="true" />
      <Where {...{ values, answer, countries, own }} error={problem('countries')} unclear={problem('country')} />
      <Choices legend={t('levels')} hint={t('levels_hint')} error={problem('severity_levels')}>
        {SEVERITIES.map((severity) => (
          <CheckField
            key={severity}
            name="severity_levels"
            value={severity}
            label={t(`level_${severity}`)}
            defaultChecked={values.severity_levels.includes(severity)}
          />
        ))}
        <CheckField name="urgent_only" label={t('urgent_only')} defaultChecked={values.urgent_only} />
      </Choices>
      <Choices legend={t('channels')} error={problem('channels')}>
        {CHANNELS.map((channel) => (
          <CheckField
            key={channel}
            name="channels"
            value={channel}
            label={<ChannelLabel channel={channel} obstacle={obstacles[channel]} />}
            defaultChecked={values.channels.includes(channel)}
          />
        ))}
      </Choices>
      <Choices legend={t('types')} hint={t('types_hint')} isWide>
        {ADVISORY_TYPES.map((type) => (
          <CheckField
            key={type}
            name="advisory_types"
            value={type}
            label={t(`type_${type}`)}
            defaultChecked={values.advisory_types.includes(type)}
          />
        ))}
      </Choices>
      <SelectField label={t('language')} name="language" defaultValue={values.language} className={styles.language}>
        <LanguageOptions />
      </SelectField>
      <div>
        <Submit name="intent" value="save" busyLabel={t('saving')}>
          {t('save')}
        </Submit>
      </div>
    </Form>
  )
}

function Where({
  values,
  answer,
  countries,
  own,
  error,
  unclear,
}: Omit<Props, 'obstacles'> & { error: ReactNode; unclear: ReactNode }) {
  const t = useT('subscriptions')
  const list = useId()
  const nameOf = (code: string) => countries.find((country) => country.code === code)?.name ?? code
  const offered = [...new Set([...values.countries, ...own])]
  return (
    <Choices legend={t('countries')} error={error}>
      <Radio name="where" value="everywhere" label={t('every_country')} isChosen={values.isEverywhere} />
      <Radio name="where" value="countries" label={t('these_countries')} isChosen={!values.isEverywhere} />
      <div className={styles.nested}>
        {offered.length > 0 && (
          <div className={styles.wide}>
            {offered.map((code) => (
              <CheckField
                key={code}
                name="countries"
                value={code}
                label={<bdi>{nameOf(code)}</bdi>}
                defaultChecked={values.countries.includes(code)}
              />
            ))}
          </div>
        )}
        <div className={styles.line}>
          <TextField
            label={t('add_country')}
            name="country"
            list={list}
            autoComplete="off"
            dir="auto"
            maxLength={100}
            defaultValue={values.country}
            error={unclear}
          />
          <Button type="submit" name="intent" value="add">
            {t('add_country_button')}
          </Button>
        </div>
        <datalist id={list}>
          {countries.map(({ code, name }) => (
            <option key={code} value={name} />
          ))}
        </datalist>
        {answer?.matches && answer.matches.length > 0 && (
          <div className={styles.buttons}>
            {answer.matches.map(({ code, name }) => (
              <Button key={code} type="submit" isSmall name="code" value={code}>
                {name}
              </Button>
            ))}
          </div>
        )}
      </div>
    </Choices>
  )
}

/** A channel, and what it still requires with a link to set it up. */
function ChannelLabel({ channel, obstacle }: { channel: Channel; obstacle: Obstacle | undefined }) {
  const t = useT('subscriptions')
  return (
    <>
      {t(`channel_${channel}`)}
      {obstacle && (
        <span className={styles.needs}>
          {' '}
          {t(`needs_${obstacle}`)} <Link to={REMEDIES[obstacle]}>{t(`needs_${obstacle}_link`)}</Link>
        </span>
      )}
    </>
  )
}

function Radio({ name, value, label, isChosen }: { name: string; value: string; label: string; isChosen: boolean }) {
  const id = useId()
  return (
    <div className={styles.radio}>
      <input type="radio" name={name} value={value} id={id} defaultChecked={isChosen} />
      <label htmlFor={id}>{label}</label>
    </div>
  )
}

interface ChoicesProps {
  legend: string
  hint?: string
  error?: ReactNode
  isWide?: boolean
  children: ReactNode
}

function Choices({ legend, hint, error, isWide, children }: ChoicesProps) {
  const id = useId()
  return (
    <fieldset
      className={styles.choices}
      tabIndex={error ? -1 : undefined}
      aria-invalid={error ? true : undefined}
      aria-describedby={[hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined}
    >
      <legend>{legend}</legend>
      {hint && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className={styles.error}>
          {error}
        </p>
      )}
      <div className={isWide ? styles.wide : styles.stack}>{children}</div>
    </fieldset>
  )
}
