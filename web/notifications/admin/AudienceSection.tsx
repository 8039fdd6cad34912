import { isAdmin } from '#shared/roles.ts'
import { Section } from '#web/compose/Composer.tsx'
import { personLine } from '#web/compose/message.ts'
import { PickField } from '#web/compose/PickField.tsx'
import { RecipientCount } from '#web/compose/RecipientCount.tsx'
import type { useEstimate } from '#web/compose/useEstimate.ts'
import { useT } from '#web/lib/i18n.tsx'
import { useUser } from '#web/lib/root-data.ts'
import { translateMessage } from '#web/lib/server-messages.ts'
import type { FormError } from '#web/lib/visitor.ts'
import { CheckField } from '#web/ui/CheckField.tsx'
import { TextAreaField } from '#web/ui/Field.tsx'
import { Fold } from '#web/ui/Fold.tsx'
import { useProblems } from '#web/ui/Form.tsx'
import styles from './Announcements.module.css'
import type { ActionData } from './announcement-form.server.ts'
import { type AudienceChoices, audienceOptions, chosenIn } from './audience.ts'
import { type FormValues, linesIn } from './values.ts'

interface Props extends AudienceChoices {
  now: FormValues
  error: FormError | undefined
  found: ActionData['found']
  /** A search was the last action. */
  isSearching: boolean
  estimate: ReturnType<typeof useEstimate>
}

/** Audience of an announcement: recipients must match every kind of filter that is set. */
export function AudienceSection({ now, error, found, isSearching, estimate, ...choices }: Props) {
  const t = useT('announcements')
  const tCompose = useT('compose')
  const options = audienceOptions(choices, { compose: tCompose, admin: useT('admin') })
  const user = useUser()
  const problem = useProblems(error)
  const search = now.add?.[0]?.trim()
  const wrong = ['audience', 'audience.roles', 'audience.countries', 'audience.chapters']
    .map((field) => problem(field))
    .find(Boolean)
  const isUnknown = isSearching && found?.length === 0 && search
  return (
    <Section id="audience" title={tCompose('who')} hint={tCompose('match_all')}>
      <PickField
        label={tCompose('pick_label')}
        hint={!isAdmin(user?.role ?? null) && t('within_hint')}
        options={options}
        chosen={chosenIn(now, options)}
        error={wrong ?? (isUnknown && tCompose('pick_unknown', { search }))}
        search={search}
        isFocused={isSearching}
        onChange={estimate.follow}
      />
      {found && found.length > 0 && (
        <fieldset className={styles.choices} role="status">
          <legend>{tCompose('found')}</legend>
          <div className={styles.grid}>
            {found.map((user) => (
              <CheckField
                key={user.email}
                label={<bdi>{`${user.name} (${user.email})`}</bdi>}
                name="found"
                value={personLine(user)}
              />
            ))}
          </div>
        </fieldset>
      )}
      <NamedRecipients now={now} error={error} />
      <RecipientCount counted={estimate.counted} isBehind={estimate.isBehind} error={estimate.error} />
    </Section>
  )
}

/** A pasted list; its errors name each line. */
function NamedRecipients({ now, error }: Pick<Props, 'now' | 'error'>) {
  const t = useT('announcements')
  const tCompose = useT('compose')
  const tForms = useT('forms')
  const lines = linesIn(now)
  const wrong = Object.entries(error?.fields ?? {}).flatMap(([field, text]) => {
    const [, at] = /^audience\.people\.(\d+)$/.exec(field) ?? []
    return at === undefined ? [] : [{ line: lines[Number(at)] ?? '', text }]
  })
  const whole = error?.fields['audience.people']
  return (
    <Fold
      look="link"
      summary={tCompose('paste_list')}
      open={Boolean(now.people?.[0]?.trim()) || wrong.length > 0 || whole !== undefined}
    >
      <TextAreaField
        label={t('people')}
        hint={t('users_hint')}
        name="people"
        dir="ltr"
        rows={3}
        defaultValue={now.people?.[0]}
        error={
          wrong.length > 0 ? (
            <ul className={styles.list}>
              {wrong.map(({ line, text }) => (
                <li key={line}>
                  <bdi dir="ltr">{line}</bdi>: {translateMessage(tForms, text)}
                </li>
              ))}
            </ul>
          ) : (
            whole && translateMessage(tForms, whole)
          )
        }
      />
    </Fold>
  )
}
