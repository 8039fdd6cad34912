/** Maximum length of each text of a locale, in characters. */
export const TEXT_LENGTHS = {
  name: 200,
  common_name: 200,
  local_name: 200,
  address_line1: 300,
  address_line2: 300,
  local_address: 500,
  city: 120,
  state_province: 120,
  postal_code: 20,
  closed_reason: 300,
} as const
