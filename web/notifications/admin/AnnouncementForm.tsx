import { PRIORITIES } from '#shared/delivery/kinds.ts'
import { directionOf, LANGUAGES, type Language } from '#shared/language.ts'
import { ANNOUNCEMENT_CHANNELS, MESSAGE_LENGTH, TITLE_LENGTH } from '#shared/notifications/announcements.ts'
import { usePortalZone } from '#web/lib/clock.ts'
import { useT } from '#web/lib/i18n.tsx'
import { AdminPanel } from '#web/ui/AdminPage.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Buttons } from '#web/ui/Buttons.tsx'
import { classes } from '#web/ui/classes.ts'
import { Field, SelectField, TextField } from '#web/ui/Field.tsx'
import { Form, Submit, useProblems } from '#web/ui/Form.tsx'
import styles from './Announcements.module.css'
import { AudienceFields } from './AudienceFields.tsx'
import type { ActionData, composeChoices } from './announcement-form.server.ts'
import { Choices } from './Choices.tsx'
import type { FormValues } from './values.ts'

interface Props extends Omit<Awaited<ReturnType<typeof composeChoices>>, 'recipient'> {
  action: string
  values: FormValues
  /** Version of an existing announcement. */
  madeFrom?: string
  actionData: ActionData | undefined
}

/** Form of an announcement: audience, channels, content and time. */
export function AnnouncementForm({ action, values, madeFrom, actionData, ...choices }: Props) {
  const t = useT('announcements')
  const zone = usePortalZone()
  const problem = useProblems(actionData?.error)
  const now = actionData?.lists ?? values
  return (
    <Form key={actionData ? JSON.stringify(actionData) : madeFrom} action={action} error={actionData?.error}>
      {madeFrom && <input type="hidden" name="made_from" value={madeFrom} />}
      {/* Default submit button for Enter. */}
      <button type="submit" name="intent" value="continue" className="visually-hidden" tabIndex={-1} aria-hidden="true">
        {t('continue')}
      </button>
      <AudienceFields {...choices} now={now} error={actionData?.error} found={actionData?.found} />
      <AdminPanel id="content" title={t('section_texts')}>
        <div className={styles.in}>
          <p className={styles.hint}>{t('words_hint')}</p>
          <div className={styles.pair}>
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
        </div>
      </AdminPanel>
      <AdminPanel id="delivery" title={t('section_channels')}>
        <div className={styles.in}>
          <Choices
            name="channels"
            legend={t('channels')}
            options={ANNOUNCEMENT_CHANNELS.map((value) => ({ value, label: t(`channel_${value}`) }))}
            chosen={now.channels ?? []}
            error={problem('channels')}
            hint={t('channels_hint')}
          />
          <div className={styles.pair}>
            <SelectField
              label={t('priority')}
              hint={t('priority_hint')}
              name="priority"
              defaultValue={now.priority?.[0]}
              error={problem('priority')}
            >
              {PRIORITIES.map((value) => (
                <option key={value} value={value}>
                  {t(`priority_${value}`)}
                </option>
              ))}
            </SelectField>
            <TextField
              type="datetime-local"
              label={t('scheduled_for')}
              hint={t('scheduled_hint', { zone })}
              name="scheduled_for"
              defaultValue={now.scheduled_for?.[0]}
              error={problem('scheduled_for')}
            />
          </div>
        </div>
      </AdminPanel>
      <Buttons isFoot>
        <Submit name="intent" value="continue">
          {t('continue')}
        </Submit>
        <Button type="submit" name="intent" value="sketch">
          {t('save_draft')}
        </Button>
      </Buttons>
    </Form>
  )
}

interface LocalizedTextProps {
  language: Language
  now: FormValues
  problem: (field: string) => string | undefined
}

function LocalizedTextFields({ language, now, problem }: LocalizedTextProps) {
  const t = useT('announcements')
  const written = { lang: language, dir: directionOf(language) }
  const [title, message] = [`title_${language}`, `message_${language}`]
  return (
    <div className={styles.language}>
      <TextField
        label={t(`title_${language}`)}
        name={title}
        defaultValue={now[title]?.[0]}
        error={problem(`texts.${language}.title`)}
        maxLength={TITLE_LENGTH}
        {...written}
      />
      <Field label={t(`message_${language}`)} error={problem(`texts.${language}.message`)}>
        {({ className, ...control }) => (
          <textarea
            {...control}
            {...written}
            className={classes(className, styles.area)}
            name={message}
            rows={6}
            maxLength={MESSAGE_LENGTH}
            defaultValue={now[message]?.[0]}
          />
        )}
      </Field>
    </div>
  )
}
