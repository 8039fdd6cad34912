import { sql } from 'kysely'

/**
 * Whether a subscription s covers the type of an advisory a. An advisory without a type matches every subscription: a
 * filter must not hide a danger that its source did not classify.
 */
export const COVERS_TYPE = sql<boolean>`(s.advisory_types = '{}' or a.advisory_type = 'general'
  or a.advisory_type = any(s.advisory_types) or a.advisory_types && s.advisory_types
  or (a.advisory_type = 'other' and coalesce(a.advisory_types, '{}') = '{}'))`

/**
 * Whether a subscription s covers the countries of an advisory a. A government advisory without a country means the
 * whole world; an event without one is over open sea. Unresolved names are announced once resolved.
 */
export const COVERS_COUNTRY = sql<boolean>`(s.countries = '{}' or s.countries && a.country_codes
  or (a.country_codes = '{}' and a.unresolved_countries = '{}' and a.affected_regions = '{}' and exists (
    select from advisory_sources w where w.id = a.source_id and w.country_code is not null)))`
