import { GENERAL_NUMBER } from '#shared/emergency/address.ts'
import type { EmergencyNumber } from '#shared/emergency/endpoints.ts'
import { HOME, nationalityOf } from '#shared/emergency/missions.ts'
import { zonePlace } from '#web/churches/days.ts'
import { useT } from '#web/lib/i18n.tsx'
import { CallRow, GeneralCall, MissingRow, NumberRow, OlderNumbers } from './CallRow.tsx'
import styles from './Emergency.module.css'
import { CachedCopyNote } from './Foot.tsx'
import type { EmergencyData } from './page.server.ts'

/** Local number, own mission, the ministry's line: always in this order, with a placeholder for a missing one. */
export function Calls({ data }: { data: EmergencyData }) {
  const t = useT('emergency')
  return (
    <section className={styles.calls} aria-label={t('calls')}>
      <Local data={data} />
      <Missions data={data} />
      {(data.name || data.line) && <Line line={data.line} />}
      <CachedCopyNote madeOn={data.made_on} />
    </section>
  )
}

function Local({ data: { emergency, name } }: { data: EmergencyData }) {
  const t = useT('emergency')
  const { first, services, local_older, pages } = emergency
  if (!name) return <GeneralCall phone={GENERAL_NUMBER} />
  return (
    <>
      {first ? <NumberRow number={first} isBig /> : <GeneralCall phone={GENERAL_NUMBER} />}
      {services.length > 0 && (
        <div className={styles.services}>
          {services.map(({ record, phone, code }) => (
            <CallRow key={record} phone={phone} label={t(`number_${code}`)} />
          ))}
        </div>
      )}
      {!first && (
        <>
          <MissingRow text={t('missing_local', { country: name })} page={pages.local} />
          <OlderNumbers numbers={local_older} />
        </>
      )}
    </>
  )
}

function Missions({ data: { emergency, name, nationalities } }: { data: EmergencyData }) {
  const t = useT('emergency')
  // There is no embassy in the home country.
  if (!name || (emergency.country === HOME && emergency.missions.length === 0)) return null
  const ofNation = (nationality: string) =>
    emergency.missions.filter((mission) => nationalityOf(mission) === nationality)
  // Reachable from anywhere, if no number of the user's embassy is known.
  const government = emergency.situations.find(({ number }) => number?.code === 'home_government')?.number
  if (emergency.missions.length === 0)
    return (
      <>
        <MissingRow text={t('missing_mission', { country: name })} page={emergency.pages.mission} />
        {government && <NumberRow number={government} />}
        <OlderNumbers numbers={emergency.missions_older} />
      </>
    )
  if (nationalities.length === 1) return <Rows numbers={emergency.missions} />
  return (
    <div className={styles.passports}>
      <h2>{t('which_passport')}</h2>
      {nationalities.map(({ nationality, name }) => (
        <div key={nationality}>
          <h3>{name}</h3>
          <Rows numbers={ofNation(nationality)} />
        </div>
      ))}
    </div>
  )
}

const Rows = ({ numbers }: { numbers: readonly EmergencyNumber[] }) =>
  numbers.map((number) => <NumberRow key={number.record} number={number} />)

function Line({ line }: { line: EmergencyData['line'] }) {
  const t = useT('emergency')
  if (!line)
    return (
      <p className={styles.noLine}>
        <b>{t('line')}</b>
        <span>
          {t('line_none')} <a href="#not-safe">{t('write_instead')}</a>
        </span>
      </p>
    )
  const { from, until, isOpen } = line
  const values = { from, until, place: zonePlace(line.time_zone) }
  const hours = isOpen === null ? t('line_always') : t('line_hours', values)
  const now = isOpen === null ? null : t(isOpen ? 'line_open' : 'line_closed', values)
  return (
    <>
      <CallRow
        phone={line.phone}
        label={t('line')}
        text={
          <>
            {line.languages && (
              <>
                <bdi>{line.languages}</bdi>
                {' · '}
              </>
            )}
            {/* In a cached copy only the hours are still true. */}
            <span className={now ? styles.whenSaved : undefined}>{hours}</span>
            {now && <span className={styles.notSaved}>{now}</span>}
          </>
        }
      />
      {isOpen === false && (
        <p className={styles.notSaved}>
          <a href="#not-safe">{t('write_instead')}</a>
        </p>
      )}
    </>
  )
}
