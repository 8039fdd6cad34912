import { Link } from 'react-router'
import { formatNumber } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import type { FormError } from '#web/lib/visitor.ts'
import { CheckField } from '#web/ui/CheckField.tsx'
import { CountryOptions } from '#web/ui/CountryOptions.tsx'
import { Field, SelectField, TextField } from '#web/ui/Field.tsx'
import { Form, Submit, useProblems } from '#web/ui/Form.tsx'
import styles from './NewRollCall.module.css'
import type { Choices, Values } from './new-roll-call.server.ts'

interface Props {
  choices: Choices
  values: Values
  /** Number of recipients; null without a selection. */
  recipientCount: number | null
  error: FormError | undefined
}

/** What happened, who is concerned and how many they are; one button asks them all. */
export function NewRollCallForm({ choices, values, recipientCount, error }: Props) {
  const t = useT('rollCalls')
  const language = useLanguage()
  const problem = useProblems(error)
  const { advisory, chapters } = choices
  return (
    <Form error={error}>
      <input type="hidden" name="advisory" value={values.advisory} />
      <input type="hidden" name="once" value={values.once} />
      {advisory && (
        <p className={styles.text}>
          {t('from_advisory')}{' '}
          <Link to={`/travel-advisories/${advisory.id}`}>
            <bdi>{advisory.title}</bdi>
          </Link>
        </p>
      )}
      <TextField
        label={t('field_title')}
        hint={t('field_title_hint')}
        error={problem('title')}
        name="title"
        required
        maxLength={200}
        defaultValue={values.title}
        dir="auto"
      />
      <Field label={t('field_message')} hint={t('field_message_hint')} error={problem('message')}>
        {(control) => (
          <textarea {...control} name="message" rows={4} maxLength={1000} defaultValue={values.message} dir="auto" />
        )}
      </Field>
      {choices.countries.length > 0 && <Countries choices={choices} values={values} error={problem('countries')} />}
      <SelectField label={t('field_chapter')} error={problem('chapter')} name="chapter" defaultValue={values.chapter}>
        <option value="">{t('field_chapter_none')}</option>
        {chapters.map(({ id, chapter_name }) => (
          <option key={id} value={id}>
            {chapter_name}
          </option>
        ))}
      </SelectField>
      <TextField
        className={styles.number}
        label={t('field_escalate')}
        hint={t('field_escalate_hint')}
        error={problem('escalate_after_minutes')}
        name="escalate_after_minutes"
        inputMode="numeric"
        required
        defaultValue={values.escalate_after_minutes}
      />
      <div className={styles.asking}>
        {recipientCount !== null && (
          <p className={styles.people} role="status">
            {t('concerned', { count: recipientCount }).replace(
              String(recipientCount),
              formatNumber(language, recipientCount),
            )}
          </p>
        )}
        <p className={styles.text}>{t('channels_hint')}</p>
        <div className={styles.buttons}>
          <Submit name="intent" value="review">
            {t('review')}
          </Submit>
          <Submit look="secondary" name="intent" value="count">
            {t('count')}
          </Submit>
        </div>
      </div>
    </Form>
  )
}

const ADDED_AT_ONCE = [0, 1, 2]

/** Checkboxes for a short list, or for the selected countries, with lists to add others. */
function Countries({ choices, values, error }: { choices: Choices; values: Values; error: string | undefined }) {
  const t = useT('rollCalls')
  const { countries, isShort } = choices
  const ticked = isShort ? countries : countries.filter(({ code }) => values.countries.includes(code))
  return (
    <fieldset className={styles.countries} aria-describedby={error ? 'countries-error' : 'countries-hint'}>
      <legend>{t('field_countries')}</legend>
      <p id="countries-hint" className={styles.hint}>
        {t('field_countries_hint')}
      </p>
      {ticked.length > 0 && (
        <div className={styles.ticked}>
          {ticked.map(({ code, name }) => (
            <CheckField
              key={code}
              name="countries"
              value={code}
              label={name}
              defaultChecked={values.countries.includes(code)}
            />
          ))}
        </div>
      )}
      {!isShort && (
        <div className={styles.added}>
          {ADDED_AT_ONCE.map((at) => (
            <SelectField
              key={at}
              label={`${t('field_country_add')} ${ticked.length + at + 1}`}
              name="countries"
              defaultValue=""
              aria-invalid={error && at === 0 ? true : undefined}
            >
              <option value="">{t('field_country_none')}</option>
              <CountryOptions countries={countries} />
            </SelectField>
          ))}
        </div>
      )}
      {error && (
        <p id="countries-error" className={styles.error}>
          {error}
        </p>
      )}
    </fieldset>
  )
}
