import { Form, Link } from 'react-router'
import type { SettingState } from '#shared/settings/endpoints.ts'
import {
  groupOf,
  labelOf,
  SETTING_GROUPS,
  SETTING_KEYS,
  type SettingGroup,
  settingPath,
} from '#shared/settings/list.ts'
import { useT } from '#web/lib/i18n.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import styles from './Settings.module.css'

interface Props {
  current: string
  settings: readonly SettingState[]
  search: string
}

/** All groups, and a search over the settings in them: a plain GET form. */
export function SettingsIndex({ current, settings, search }: Props) {
  const t = useT('settings')
  return (
    <div className={styles.index}>
      <search aria-label={t('find')}>
        <Form className={styles.find}>
          <Field label={t('find')}>
            {(control) => (
              <input
                {...control}
                type="search"
                name="search"
                defaultValue={search}
                maxLength={200}
                autoComplete="off"
              />
            )}
          </Field>
          <Button type="submit" icon="search" className={styles.findButton}>
            {t('find_submit')}
          </Button>
        </Form>
      </search>
      {search === '' ? <Groups current={current} settings={settings} /> : <Found search={search} />}
    </div>
  )
}

function Groups({ current, settings }: Pick<Props, 'current' | 'settings'>) {
  const t = useT('settings')
  const groups = Object.keys(SETTING_GROUPS) as SettingGroup[]
  return (
    <nav aria-label={t('groups')}>
      <ul className={styles.groups}>
        {[...groups, 'connections' as const].map((group) => {
          const changed = settings.filter(({ key, is_default }) => !is_default && groupOf(key) === group).length
          return (
            <li key={group}>
              <Link to={`/admin/settings/${group}`} aria-current={group === current ? 'page' : undefined}>
                <span>{t(group === 'connections' ? 'connections' : `group_${group}`)}</span>
                {changed > 0 && <small>{t('changed_count', { count: changed })}</small>}
              </Link>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}

function Found({ search }: { search: string }) {
  const t = useT('settings')
  const term = search.toLowerCase()
  const found = SETTING_KEYS.filter((key) =>
    `${t(labelOf(key))} ${t(`${labelOf(key)}_hint`)}`.toLowerCase().includes(term),
  )
  return (
    <nav aria-label={t('found')}>
      {found.length === 0 && <p className={styles.about}>{t('found_none', { search })}</p>}
      <ul className={styles.groups}>
        {found.map((key) => (
          <li key={key}>
            <Link to={settingPath(key)}>
              <span>{t(labelOf(key))}</span>
            </Link>
          </li>
        ))}
      </ul>
      <p>
        <Link to="?">{t('all_groups')}</Link>
      </p>
    </nav>
  )
}
