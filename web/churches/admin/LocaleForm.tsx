import { Link } from 'react-router'
import type { AdminLocale } from '#shared/churches/managed-locale.ts'
import { type FormValues, resultOf } from '#web/lib/form-result.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { Buttons } from '#web/ui/Buttons.tsx'
import { CheckField } from '#web/ui/CheckField.tsx'
import { Form, Submit } from '#web/ui/Form.tsx'
import { Note } from '#web/ui/Note.tsx'
import styles from './Admin.module.css'
import type { ActionData } from './action-data.ts'
import type { LocaleChoices } from './choices.server.ts'
import { LocaleFields } from './LocaleFields.tsx'
import { LOCALES, localePath } from './paths.ts'

interface Props {
  intent: 'create' | 'save'
  values: FormValues
  locale?: AdminLocale
  choices: LocaleChoices
  actionData: ActionData | undefined
  /** The newest audit log entry on the page. */
  seen?: number
}

/** Every field of a locale, in sections; form values are preserved on an error. */
export function LocaleForm({ intent, values, locale, choices, actionData, seen }: Props) {
  const t = useT('manageChurches')
  const own = resultOf(actionData, intent, '')
  const isStale = own?.error?.code === 'stale'
  const isDouble = own?.duplicates !== undefined
  return (
    <Form
      // Remounted after saving: inputs keep their typed values otherwise.
      key={own ? 'typed' : locale?.updated_at}
      action={locale ? localePath(locale.id) : `${LOCALES}/new`}
      error={isStale || isDouble ? undefined : own?.error}
      isUnsaved={own !== undefined}
      aria-label={t('form')}
    >
      <input type="hidden" name="intent" value={intent} />
      {locale && <input type="hidden" name="made_from" value={locale.updated_at} />}
      {seen !== undefined && <input type="hidden" name="seen" value={seen} />}
      {isDouble && <Duplicates actionData={own} />}
      <LocaleFields
        values={own?.values ?? values}
        error={own?.error}
        choices={choices}
        countryMode={locale?.country_mode ?? null}
      />
      <Buttons isFoot>
        <Submit>{t(isStale ? 'save_over' : intent === 'create' ? 'create' : 'save')}</Submit>
      </Buttons>
    </Form>
  )
}

/** Possible duplicates: to be reviewed first, or marked as distinct by ticking the box. */
function Duplicates({ actionData }: { actionData: ActionData }) {
  const t = useT('manageChurches')
  const language = useLanguage()
  return (
    <Note kind="error" isLive title={t('doubles_title')}>
      <p>{t('doubles_text')}</p>
      <ul className={styles.list}>
        {actionData.duplicates?.map(({ id, name, city, address_line1, distance_km, why }) => (
          <li key={id}>
            <Link to={localePath(id)} target="_blank">
              <bdi>{name}</bdi>
            </Link>
            <bdi>{[address_line1, city].filter(Boolean).map((line) => `, ${line}`)}</bdi>{' '}
            {why === 'place'
              ? t('double_place', { n: formatNumber(language, Math.round((distance_km ?? 0) * 1000)) })
              : t('double_name')}
          </li>
        ))}
      </ul>
      <CheckField name="save_anyway" label={t('save_anyway')} />
    </Note>
  )
}
