import type { UserDetail } from '#shared/accounts/users.ts'
import { type ChapterChoice, chapterLabel } from '#web/churches/ChapterOptions.tsx'
import { useT } from '#web/lib/i18n.tsx'
import { Buttons } from '#web/ui/Buttons.tsx'
import { TextField } from '#web/ui/Field.tsx'
import { Fold } from '#web/ui/Fold.tsx'
import { Form, Submit, useProblems } from '#web/ui/Form.tsx'
import { type ActionData, actionDataFor } from './action-data.ts'
import { PlacesField } from './PlacesField.tsx'
import { RoleFields } from './RoleFields.tsx'

interface Props {
  user: UserDetail
  actionData: ActionData | undefined
  countries: { code: string; name: string }[]
  chapters: ChapterChoice[]
}

/** Role, scope and expiry. */
export function RoleSection({ user, actionData, countries, chapters }: Props) {
  const t = useT('users')
  const { values, error, isOpen } = actionDataFor(actionData, 'role')
  const problem = useProblems(error)
  return (
    <Fold open={isOpen} summary={t('change_role')}>
      <Form error={error}>
        <input type="hidden" name="intent" value="role" />
        <RoleFields
          role={values?.role ?? user.role}
          scope={user.scope_countries ?? []}
          values={values}
          countries={countries}
          isEverywhere={values ? values.everywhere === 'yes' : user.scope_everywhere}
          scopeReason={values?.scope_reason ?? user.scope_reason ?? ''}
          problem={problem}
        />
        {chapters.length > 0 && (
          <PlacesField
            label={t('scope_chapters')}
            hint={t('scope_chapters_hint')}
            name="chapters"
            options={chapters.map((chapter) => ({ value: chapter.id, label: chapterLabel(chapter) }))}
            chosen={user.scope_chapters ?? []}
            values={values}
            error={problem('scope_chapters')}
          />
        )}
        <TextField
          label={t('ends_on')}
          hint={t('ends_on_hint')}
          type="date"
          name="role_ends_on"
          defaultValue={values?.role_ends_on ?? user.role_ends_at?.slice(0, 10) ?? ''}
          error={problem('role_ends_on')}
        />
        <TextField
          label={t('reason_for_record')}
          name="reason"
          maxLength={500}
          dir="auto"
          defaultValue={values?.reason}
          error={problem('reason')}
        />
        <Buttons>
          <Submit look="secondary">{t('check_change')}</Submit>
        </Buttons>
      </Form>
    </Fold>
  )
}
