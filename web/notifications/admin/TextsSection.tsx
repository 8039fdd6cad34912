import { directionOf, LANGUAGES, type Language } from '#shared/language.ts'
import { MESSAGE_LENGTH, TITLE_LENGTH } from '#shared/notifications/announcements.ts'
import { Section } from '#web/compose/Composer.tsx'
import { useT } from '#web/lib/i18n.tsx'
import type { FormError } from '#web/lib/visitor.ts'
import { classes } from '#web/ui/classes.ts'
import { Field, TextField } from '#web/ui/Field.tsx'
import { useProblems } from '#web/ui/Form.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import segments from '#web/ui/Segments.module.css'
import styles from './TextsSection.module.css'
import type { FormValues } from './values.ts'

const NAMES: Record<Language, string> = { en: 'English', ar: 'العربية', tl: 'Tagalog' }
/** A tab is no value of the message, so its radio button belongs to no form. */
const OUTSIDE = 'no-form'

interface Props {
  now: FormValues
  error: FormError | undefined
}

/** Title and message in each language, one tab each; the tabs work without scripts. */
export function TextsSection({ now, error }: Props) {
  const t = useT('announcements')
  const tCompose = useT('compose')
  const problem = useProblems(error)
  const wrong = LANGUAGES.find((of) =>
    Object.keys(error?.fields ?? {}).some((field) => field.startsWith(`texts.${of}.`)),
  )
  const first = wrong ?? LANGUAGES.find((of) => isWritten(now, of)) ?? 'en'
  return (
    <Section id="content" title={tCompose('what')} hint={t('words_hint')}>
      <div className={styles.texts}>
        <fieldset className={classes(segments.segments, styles.tabs)}>
          <legend className="visually-hidden">{t('text_language')}</legend>
          {LANGUAGES.map((of) => (
            <label key={of} lang={of}>
              <input type="radio" name="text-language" value={of} form={OUTSIDE} defaultChecked={of === first} />
              {NAMES[of]}
              {isWritten(now, of) && <Icon name="check" />}
            </label>
          ))}
        </fieldset>
        {LANGUAGES.map((language) => (
          <LocalizedTextFields key={language} language={language} now={now} problem={problem} />
        ))}
      </div>
      <TextField
        label={t('action_url')}
        hint={t('action_url_hint')}
        name="action_url"
        dir="ltr"
        defaultValue={now.action_url?.[0]}
        error={problem('action_url')}
        maxLength={500}
      />
    </Section>
  )
}

const isWritten = (now: FormValues, language: Language) =>
  Boolean(now[`title_${language}`]?.[0]?.trim() || now[`message_${language}`]?.[0]?.trim())

interface FieldsProps {
  language: Language
  now: FormValues
  problem: (field: string) => string | undefined
}

function LocalizedTextFields({ language, now, problem }: FieldsProps) {
  const t = useT('announcements')
  const content = { lang: language, dir: directionOf(language) }
  const [title, message] = [`title_${language}`, `message_${language}`]
  return (
    <div className={styles[language]}>
      <TextField
        label={t(`title_${language}`)}
        name={title}
        defaultValue={now[title]?.[0]}
        error={problem(`texts.${language}.title`)}
        maxLength={TITLE_LENGTH}
        {...content}
      />
      <Field label={t(`message_${language}`)} error={problem(`texts.${language}.message`)}>
        {({ className, ...control }) => (
          <textarea
            {...control}
            {...content}
            className={classes(className, styles.area)}
            name={message}
            rows={5}
            maxLength={MESSAGE_LENGTH}
            defaultValue={now[message]?.[0]}
          />
        )}
      </Field>
    </div>
  )
}
