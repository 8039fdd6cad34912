import { Link } from 'react-router'
import { countRoles } from '#shared/accounts/users.ts'
import { ROLES } from '#shared/roles.ts'
import { formatNumber } from '#web/lib/format.ts'
import { type Key, useLanguage, useT } from '#web/lib/i18n.tsx'
import { api } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import { AdminPage } from '#web/ui/AdminPage.tsx'
import { Tiles } from '#web/ui/Tiles.tsx'
import type { Route } from './+types/RolesPage'
import { PAGE_RIGHTS, type PermissionRow, RIGHTS } from './permissions.ts'
import styles from './Users.module.css'
import { UsersTabs } from './UsersTabs.tsx'

export const handle = { ns: ['users'] } satisfies RouteHandle

export async function loader({ context }: Route.LoaderArgs) {
  return api(context)(countRoles)
}

/** The seven roles: who has them, and their permissions. */
export default function RolesPage({ loaderData: { roles } }: Route.ComponentProps) {
  const t = useT('users')
  const tAdmin = useT('admin')
  const language = useLanguage()
  return (
    <AdminPage title={t('users_title')}>
      <UsersTabs current="roles" />
      <Tiles
        label={t('roles_counts')}
        tiles={roles.map(({ role, total }) => ({
          key: role,
          label: tAdmin(`role_${role}`),
          value: formatNumber(language, total),
          to: `/admin/users?role=${role}`,
        }))}
      />
      <h2 className={styles.subtitle}>{t('roles_meaning')}</h2>
      <dl className={styles.meanings}>
        {ROLES.map((role) => (
          <div key={role}>
            <dt>
              <Link to={`/admin/users?role=${role}`}>{tAdmin(`role_${role}`)}</Link>
            </dt>
            <dd className={styles.hint}>{t(`meaning_${role}`)}</dd>
          </div>
        ))}
      </dl>
      <h2 className={styles.subtitle} id="matrix">
        {t('matrix')}
      </h2>
      <p className={styles.hint}>{t('matrix_hint')}</p>
      <Matrix />
    </AdminPage>
  )
}

function Matrix() {
  const t = useT('users')
  const tAdmin = useT('admin')
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be keyboard accessible
    <section className={styles.matrix} aria-labelledby="matrix" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <td />
            {ROLES.map((role) => (
              <th key={role} scope="col">
                {tAdmin(`role_${role}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Group label={t('matrix_rights')} />
          {RIGHTS.map((row) => (
            <MatrixRow key={row.name} row={row} label={t(`right_${row.name}` as Key<'users'>)} />
          ))}
          <Group label={t('matrix_pages')} />
          {PAGE_RIGHTS.map((row) => (
            <MatrixRow key={row.name} row={row} label={<bdi dir="ltr">{row.name}</bdi>} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Group({ label }: { label: string }) {
  return (
    <tr>
      <th scope="colgroup" colSpan={ROLES.length + 1} className={styles.group}>
        {label}
      </th>
    </tr>
  )
}

function MatrixRow({ row, label }: { row: PermissionRow; label: React.ReactNode }) {
  const t = useT('users')
  return (
    <tr>
      <th scope="row">{label}</th>
      {ROLES.map((role) => (
        <td key={role} className={row.may[role] ? styles.may : styles.mayNot}>
          {t(row.may[role] ? 'may' : 'may_not')}
        </td>
      ))}
    </tr>
  )
}
