import { sql } from 'kysely'

/**
 * Whether a subscription s covers the type of an advisory a. What names no type goes to everyone: a filter must never
 * hide a danger that its source did not name.
 */
export const COVERS_TYPE = sql<boolean>`(s.advisory_types = '{}' or a.advisory_type = 'general'
  or a.advisory_type = any(s.advisory_types) or a.advisory_types && s.advisory_types
  or (a.advisory_type = 'other' and coalesce(a.advisory_types, '{}') = '{}'))`

/**
 * Whether a subscription s covers the countries of an advisory a. A government that names no place means the world; an
 * event without a country lies over open sea. Names that did not resolve are announced once they do.
 */
export const COVERS_COUNTRY = sql<boolean>`(s.countries = '{}' or s.countries && a.country_codes
  or (a.country_codes = '{}' and a.unresolved_countries = '{}' and a.affected_regions = '{}' and exists (
    select from advisory_sources w where w.id = a.source_id and w.country_code is not null)))`
