import type { UserDetail } from '#shared/accounts/users.ts'
import { type ChapterChoice, ChapterOptions } from '../churches/ChapterOptions.tsx'
import { useT } from '../lib/i18n.tsx'
import { Buttons } from '../ui/Buttons.tsx'
import { classes } from '../ui/classes.ts'
import { Field, TextField } from '../ui/Field.tsx'
import { Fold } from '../ui/Fold.tsx'
import { Form, Submit, useProblems } from '../ui/Form.tsx'
import { type Posted, postedFor } from './posted.ts'
import { RoleFields } from './RoleFields.tsx'
import styles from './Users.module.css'

interface Props {
  user: UserDetail
  posted: Posted | undefined
  countryNames: Record<string, string>
  chapters: ChapterChoice[]
}

/** Role, where it counts and until when. */
export function RolePart({ user, posted, countryNames, chapters }: Props) {
  const t = useT('users')
  const { typed, failure, isOpen } = postedFor(posted, 'role')
  const problem = useProblems(failure)
  const places = user.scope_countries?.map((code) => countryNames[code] ?? code).join('\n')
  return (
    <Fold open={isOpen} summary={t('change_role')}>
      <Form failure={failure}>
        <input type="hidden" name="intent" value="role" />
        <RoleFields
          role={typed?.role ?? user.role}
          scope={typed?.scope ?? places ?? ''}
          isEverywhere={typed ? typed.everywhere === 'yes' : user.scope_everywhere}
          scopeReason={typed?.scope_reason ?? user.scope_reason ?? ''}
          problem={problem}
        />
        {chapters.length > 0 && (
          <ChaptersField
            chapters={chapters}
            chosen={typed ? (typed.chapters ?? '').split(',') : (user.scope_chapters ?? [])}
            error={problem('scope_chapters')}
          />
        )}
        <TextField
          label={t('ends_on')}
          hint={t('ends_on_hint')}
          type="date"
          name="role_ends_on"
          defaultValue={typed?.role_ends_on ?? user.role_ends_at?.slice(0, 10) ?? ''}
          error={problem('role_ends_on')}
        />
        <TextField
          label={t('reason_kept')}
          name="reason"
          maxLength={500}
          dir="auto"
          defaultValue={typed?.reason}
          error={problem('reason')}
        />
        <Buttons>
          <Submit look="secondary">{t('check_change')}</Submit>
        </Buttons>
      </Form>
    </Fold>
  )
}

function ChaptersField(props: { chapters: ChapterChoice[]; chosen: string[]; error: string | undefined }) {
  const t = useT('users')
  return (
    <Field label={t('scope_chapters')} hint={t('scope_chapters_hint')} error={props.error}>
      {(control) => (
        <select
          {...control}
          name="chapters"
          multiple
          size={5}
          defaultValue={props.chosen}
          className={classes(control.className, styles.several)}
        >
          <ChapterOptions chapters={props.chapters} />
        </select>
      )}
    </Field>
  )
}
