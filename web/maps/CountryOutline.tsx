import styles from './CountryOutline.module.css'
import type { ShownOutline } from './outline.server.ts'
import { OUTLINE_HEIGHT, OUTLINE_WIDTH } from './outline.ts'

/**
 * The map of one country, from `outlineIn` in the loader. It fills its box; what does not fit is cut off evenly, and
 * nothing important is near the edges. Never mirrored.
 */
export function CountryOutline({ outline }: { outline: ShownOutline }) {
  const { label, land, borders, self, ring, capital, names, cities, scale } = outline
  return (
    <svg
      className={styles.map}
      viewBox={`0 0 ${OUTLINE_WIDTH} ${OUTLINE_HEIGHT}`}
      preserveAspectRatio="xMidYMid slice"
      role="img"
      aria-label={label}
    >
      <path className={styles.land} d={land} />
      <path className={styles.borders} d={borders} />
      <path className={styles.self} d={self} />
      {ring && <circle className={styles.ring} cx={ring[0]} cy={ring[1]} r="12" />}
      {names.map(({ name, at: [x, y] }) => (
        <text key={name} className={styles.name} x={x} y={y + 5}>
          {name}
        </text>
      ))}
      {cities.map(({ name, at: [x, y], isAbove }) => (
        <g key={name}>
          <circle className={styles.city} cx={x} cy={y} r="2.5" />
          <text className={styles.name} x={x} y={y + (isAbove ? -9 : 19)}>
            {name}
          </text>
        </g>
      ))}
      {capital && (
        <>
          <circle className={styles.capital} cx={capital.at[0]} cy={capital.at[1]} r="4" />
          <text
            className={capital.isAfter ? styles.after : styles.before}
            x={capital.at[0] + (capital.isAfter ? 9 : -9)}
            y={capital.at[1] + 5}
          >
            {capital.name}
          </text>
        </>
      )}
      <path className={styles.scale} d={`M64 272v5h${scale.units}v-5`} />
      <text className={styles.scaleText} x="64" y="266">
        {scale.text}
      </text>
    </svg>
  )
}
