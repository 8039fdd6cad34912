import { useEffect, useRef } from 'react'
import type { UserDetail } from '#shared/accounts/users.ts'
import type { Role } from '#shared/roles.ts'
import type { ChapterChoice } from '#web/churches/ChapterOptions.tsx'
import { useT } from '#web/lib/i18n.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Buttons } from '#web/ui/Buttons.tsx'
import { Form, Submit } from '#web/ui/Form.tsx'
import { Note } from '#web/ui/Note.tsx'
import type { ActionData, Confirms } from './action-data.ts'
import { PasswordField, RoleChange } from './RoleChange.tsx'
import styles from './Users.module.css'

interface Props {
  user: UserDetail
  actionData: ActionData
  confirms: Confirms
  countries: { code: string; name: string }[]
  chapters: ChapterChoice[]
}

/** States what is about to happen, and asks for confirmation. A separate step, so that it works without scripts. */
export function Confirm({ user, actionData: { intent, values, error }, confirms, countries, chapters }: Props) {
  const t = useT('users')
  const tAdmin = useT('admin')
  const panel = useRef<HTMLDivElement>(null)
  useEffect(() => panel.current?.focus(), [])
  const name = user.display_name
  const isRole = intent === 'role'
  const what = isRole
    ? values.role === user.role
      ? 'confirm_scope'
      : 'confirm_role'
    : intent === 'sessions'
      ? 'confirm_sessions'
      : intent === 'verify'
        ? 'confirm_verify'
        : values.status === 'suspended'
          ? 'confirm_suspend'
          : 'confirm_reactivate'
  const texts = what === 'confirm_scope' ? 'confirm_role' : what
  const places = [
    ...(values.everywhere === 'yes' && isRole ? [t('everywhere')] : []),
    ...confirms.places.map((code) => countries.find((country) => country.code === code)?.name ?? code),
    ...confirms.chapters.map((id) => chapters.find((chapter) => chapter.id === id)?.chapter_name ?? id),
  ]
  const needsPassword = confirms.preview?.is_fresh === false
  return (
    <div ref={panel} tabIndex={-1} className={styles.confirm}>
      <Note
        isLive
        title={t(what, isRole ? { name, role: tAdmin(`role_${values.role as Role}`) } : { name })}
        action={
          <Form error={error}>
            {Object.entries(values).map(([field, value]) => (
              <input key={field} type="hidden" name={field} value={value} />
            ))}
            <input type="hidden" name="confirmed" value="yes" />
            {needsPassword && <PasswordField error={error} />}
            <Buttons>
              <Submit look={what === 'confirm_suspend' ? 'danger' : 'primary'}>{t(`${texts}_yes`)}</Submit>
              <ButtonLink to={`/admin/users/${user.id}`} preventScrollReset replace>
                {t('not_now')}
              </ButtonLink>
            </Buttons>
          </Form>
        }
      >
        {isRole && places.length > 0 && <p>{t('confirm_places', { places: places.join(t('comma')) })}</p>}
        {isRole && values.role_ends_on && <p>{t('confirm_until', { day: values.role_ends_on })}</p>}
        {confirms.preview && <RoleChange preview={confirms.preview} />}
        {values.reason && (
          <p>
            {t('reason')}: <bdi>{values.reason}</bdi>
          </p>
        )}
        <p>{t(`${texts}_means`)}</p>
      </Note>
    </div>
  )
}
