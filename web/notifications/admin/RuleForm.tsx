import { PRIORITIES } from '#shared/delivery/kinds.ts'
import { directionOf, LANGUAGES, type Language } from '#shared/language.ts'
import { REMINDER_CHANNELS, type ReminderRule } from '#shared/notifications/reminders.ts'
import { useT } from '#web/lib/i18n.tsx'
import type { FormError } from '#web/lib/visitor.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Buttons } from '#web/ui/Buttons.tsx'
import { CheckField } from '#web/ui/CheckField.tsx'
import { classes } from '#web/ui/classes.ts'
import { Field, SelectField, TextField } from '#web/ui/Field.tsx'
import { Form, Submit, useProblems } from '#web/ui/Form.tsx'
import styles from './Announcements.module.css'
import { Choices } from './Choices.tsx'
import { REMINDERS } from './paths.ts'
import { type FormValues, valuesOfRule } from './values.ts'

/** Form of one rule; invalid values are shown again as typed. */
export function RuleForm({
  rule,
  actionData,
}: {
  rule: ReminderRule
  actionData: { lists?: FormValues; error: FormError | undefined } | undefined
}) {
  const t = useT('announcements')
  const problem = useProblems(actionData?.error)
  const now = actionData?.lists ?? valuesOfRule(rule)
  return (
    <div className={styles.in}>
      <Form
        key={actionData ? JSON.stringify(actionData) : rule.updated_at}
        action={REMINDERS}
        error={actionData?.error}
      >
        <input type="hidden" name="rule" value={rule.id} />
        <input type="hidden" name="made_from" value={rule.updated_at} />
        <CheckField label={t('rule_enabled')} name="enabled" defaultChecked={now.enabled !== undefined} />
        <div className={styles.pair}>
          <TextField
            label={t('offsets')}
            hint={t('offsets_hint')}
            name="reminder_offsets"
            dir="ltr"
            defaultValue={now.reminder_offsets?.[0]}
            error={problem('reminder_offsets')}
          />
          <SelectField label={t('priority')} name="priority" defaultValue={now.priority?.[0]}>
            {PRIORITIES.map((value) => (
              <option key={value} value={value}>
                {t(`priority_${value}`)}
              </option>
            ))}
          </SelectField>
        </div>
        <Choices
          name="delivery_methods"
          legend={t('channels')}
          options={REMINDER_CHANNELS.map((value) => ({ value, label: t(`channel_${value}`) }))}
          chosen={now.delivery_methods ?? []}
          error={problem('delivery_methods')}
        />
        <p className={styles.hint}>{t('rule_variables')}</p>
        <div className={styles.pair}>
          {LANGUAGES.map((language) => (
            <RuleTexts key={language} language={language} values={now} problem={problem} />
          ))}
        </div>
        <Buttons>
          <Submit>{t('save')}</Submit>
          <ButtonLink to={REMINDERS} preventScrollReset>
            {t('not_now')}
          </ButtonLink>
        </Buttons>
      </Form>
    </div>
  )
}

interface RuleTextsProps {
  language: Language
  values: FormValues
  problem: ReturnType<typeof useProblems>
}

/** Title and message in one language. */
function RuleTexts({ language, values, problem }: RuleTextsProps) {
  const t = useT('announcements')
  const written = { lang: language, dir: directionOf(language) }
  return (
    <div className={styles.language}>
      <TextField
        label={t(`title_${language}`)}
        name={`title_${language}`}
        defaultValue={values[`title_${language}`]?.[0]}
        error={problem(`texts.${language}.title`)}
        maxLength={200}
        {...written}
      />
      <Field label={t(`message_${language}`)} error={problem(`texts.${language}.message`)}>
        {({ className, ...control }) => (
          <textarea
            {...control}
            {...written}
            className={classes(className, styles.area)}
            name={`message_${language}`}
            rows={4}
            maxLength={2_000}
            defaultValue={values[`message_${language}`]?.[0]}
          />
        )}
      </Field>
    </div>
  )
}
