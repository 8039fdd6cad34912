import { type ReactNode, type RefObject, useState } from 'react'
import type { ChatSettings } from '#shared/assistant/preferences.ts'
import { useT } from '#web/lib/i18n.tsx'
import { useUser } from '#web/lib/root-data.ts'
import { CheckField } from '#web/ui/CheckField.tsx'
import { SelectField } from '#web/ui/Field.tsx'
import { useChat } from './ChatProvider.tsx'
import { beep, mayNotify, vibrate } from './effects.ts'
import styles from './SettingsPanel.module.css'
import { Sheet } from './Sheet.tsx'
import { canListen, canSpeak } from './voice.ts'

type Switch = { [K in keyof ChatSettings]-?: ChatSettings[K] extends boolean ? K : never }[keyof ChatSettings]

const READING = ['messageGrouping', 'showTimestamps', 'autoScroll'] as const satisfies readonly Switch[]

/** Settings of the assistant. Each applies at once, and states where it is stored. */
export function SettingsPanel({ dialog }: { dialog: RefObject<HTMLDialogElement | null> }) {
  const t = useT('assistant')
  const isIn = useUser() !== null
  const { preferences, changePreferences } = useChat()
  const { settings } = preferences
  const set = (change: Partial<ChatSettings>) =>
    changePreferences({ ...preferences, settings: { ...settings, ...change } })
  const box = (name: Switch, more: { label?: ReactNode; isDisabled?: boolean; tryOut?: () => void } = {}) => (
    <CheckField
      label={more.label ?? t(`setting_${name}`)}
      checked={settings[name]}
      disabled={more.isDisabled}
      onChange={({ target }) => {
        if (target.checked) more.tryOut?.()
        set({ [name]: target.checked })
      }}
    />
  )
  const hasVoice = canListen() || canSpeak()
  return (
    <Sheet dialog={dialog} title={t('settings')} side="end">
      <div className={styles.settings}>
        <Group title={t('settings_reading')}>
          <SelectField
            label={t('setting_theme')}
            value={settings.theme}
            onChange={({ target }) => set({ theme: target.value as ChatSettings['theme'] })}
          >
            {(['system', 'light', 'dark'] as const).map((theme) => (
              <option key={theme} value={theme}>
                {t(`theme_${theme}`)}
              </option>
            ))}
          </SelectField>
          <SelectField
            label={t('setting_fontSize')}
            value={settings.fontSize}
            onChange={({ target }) => set({ fontSize: target.value as ChatSettings['fontSize'] })}
          >
            {(['small', 'medium', 'large'] as const).map((size) => (
              <option key={size} value={size}>
                {t(`size_${size}`)}
              </option>
            ))}
          </SelectField>
          {READING.map((name) => (
            <div key={name}>{box(name)}</div>
          ))}
          {box('enableRealTime')}
        </Group>
        <Group title={t('settings_hearing')}>
          {box('enableVoice', { isDisabled: !hasVoice })}
          {!hasVoice && <p className={styles.why}>{t('voice_missing')}</p>}
          {box('enableSounds', { tryOut: beep })}
          {box('enableHaptics', { tryOut: vibrate })}
          <NotificationSetting
            isOn={settings.enableNotifications}
            onChange={(isOn) => set({ enableNotifications: isOn })}
          />
        </Group>
        <p className={styles.saved}>{t(isIn ? 'settings_saved_account' : 'settings_saved_device')}</p>
      </div>
    </Sheet>
  )
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className={styles.group}>
      <legend>{title}</legend>
      {children}
    </fieldset>
  )
}

/** The browser's permission is requested only when notifications are switched on. */
function NotificationSetting({ isOn, onChange }: { isOn: boolean; onChange: (isOn: boolean) => void }) {
  const t = useT('assistant')
  const [isDenied, setDenied] = useState(false)
  async function change(wanted: boolean) {
    const isAllowed = wanted && (await mayNotify())
    setDenied(wanted && !isAllowed)
    onChange(isAllowed)
  }
  return (
    <>
      <CheckField
        label={t('setting_enableNotifications')}
        checked={isOn}
        onChange={({ target }) => void change(target.checked)}
      />
      <p role="status" className={styles.why}>
        {isDenied && t('notifications_refused')}
      </p>
    </>
  )
}
