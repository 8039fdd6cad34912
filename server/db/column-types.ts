import type { ColumnType, JSONColumnType } from 'kysely'

/** A column with a default that is normally left to the database. */
export type Instant = ColumnType<Date, Date | string, Date | string>
export type OptionalInstant = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
export type DefaultInstant = ColumnType<Date, Date | string | undefined, Date | string>
/** `date` columns stay text (YYYY-MM-DD): a Date would be a local midnight. */
export type Day = ColumnType<string | null, string | null | undefined, string | null>
export type Json<T extends object> = JSONColumnType<T, string | undefined, string>
