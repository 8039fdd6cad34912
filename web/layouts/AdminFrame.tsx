import { type ReactNode, useRef } from 'react'
import { useLocation } from 'react-router'
import { adminLanguage, directionOf, isAdminLanguage, LANGUAGES } from '#shared/language.ts'
import type { AdminFrame as Frame } from '#shared/overview/endpoints.ts'
import type { Role } from '#shared/roles.ts'
import { SessionKeeper } from '#web/accounts/SessionKeeper.tsx'
import { LanguageProvider, useLanguage, useT } from '#web/lib/i18n.tsx'
import { useUser } from '#web/lib/root-data.ts'
import { InboxLink } from '#web/notifications/InboxLink.tsx'
import { classes } from '#web/ui/classes.ts'
import { Icon } from '#web/ui/Icon.tsx'
import { LanguageSwitch } from '#web/ui/LanguageSwitch.tsx'
import { AdminAccount } from './AdminAccount.tsx'
import styles from './AdminFrame.module.css'
import { AdminMenu } from './AdminMenu.tsx'
import { AdminSearch } from './AdminSearch.tsx'
import { panelLabel } from './admin-menu.ts'
import { BrandMark, useBrand } from './Brand.tsx'
import { OfflineNote } from './OfflineNote.tsx'
import { SkipLink } from './PublicFrame.tsx'
import { useArrival } from './useArrival.ts'

const ADMIN_LANGUAGES = LANGUAGES.filter(isAdminLanguage)

interface Props {
  /** Undefined if it could not be read; the menu then shows no counts. */
  frame: Frame | undefined
  children: ReactNode
}

/** Frame of every admin page: header with search and account, menu at the side. */
export function AdminFrame({ frame, children }: Props) {
  const user = useUser()
  const main = useRef<HTMLElement>(null)
  useArrival(main, 'slide')
  const role = user?.role ?? 'traveler'
  // Who comes from a page in another language by a link inside the portal.
  const language = adminLanguage(useLanguage())
  return (
    <LanguageProvider language={language}>
      <div className={styles.frame} lang={language} dir={directionOf(language)}>
        <SkipLink />
        <header className={styles.header}>
          <SmallDrawer role={role} frame={frame} />
          <Fold />
          <Panel role={role} />
          <AdminSearch role={role} hasSlashKey={frame?.single_key_shortcuts ?? false} />
          <div className={styles.language}>
            <LanguageSwitch languages={ADMIN_LANGUAGES} />
          </div>
          <InboxLink to="/admin/inbox" />
          {user && <AdminAccount user={user} />}
        </header>
        <div className={styles.drawer}>
          <AdminMenu role={role} frame={frame} />
        </div>
        <div className={styles.content}>
          <SessionKeeper />
          <OfflineNote />
          <main id="main" ref={main} tabIndex={-1}>
            {children}
          </main>
        </div>
      </div>
    </LanguageProvider>
  )
}

/** Toggles the drawer's width. Handled by the page script, which applies the stored state before first paint. */
function Fold() {
  const t = useT('admin')
  return (
    <button
      ref={showWhetherWide}
      type="button"
      className={classes(styles.fold, 'needs-script')}
      data-drawer-fold
      aria-expanded="true"
      aria-label={t('menu')}
      suppressHydrationWarning
    >
      <Icon name="menu" />
    </button>
  )
}

/** Rendered after a navigation, the button did not exist when the page script ran. */
function showWhetherWide(button: HTMLButtonElement | null) {
  button?.setAttribute('aria-expanded', String(document.documentElement.dataset.drawer !== 'small'))
}

function Panel({ role }: { role: Role }) {
  const t = useT('admin')
  return (
    <div className={styles.brand}>
      <BrandMark />
      <div>
        <bdi>{useBrand()}</bdi>
        <span>{t(panelLabel(role))}</span>
      </div>
    </div>
  )
}

/** On narrow screens the menu collapses in `details`, which needs no script. */
function SmallDrawer(props: { role: Role; frame: Frame | undefined }) {
  const t = useT('admin')
  // The new key closes the menu after a navigation.
  const { key } = useLocation()
  return (
    <details key={key} className={styles.small}>
      <summary aria-label={t('menu')}>
        <Icon name="menu" className={styles.open} />
        <Icon name="close" className={styles.close} />
      </summary>
      <div className={styles.smallDrawer}>
        <AdminMenu {...props} />
      </div>
    </details>
  )
}
