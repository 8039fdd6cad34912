export const CASES = '/admin/assistant/cases'
