import { loadCities } from '#server/churches/cities.ts'
import { CITY_COUNT } from '#shared/churches/places.ts'
import { type Command, parse } from './command.ts'

export const CHURCH_COMMANDS: Record<string, Command> = {
  'cities:load': {
    usage: 'cities:load',
    about: [
      `Loads the ${CITY_COUNT.toLocaleString('en')} cities for searches near a place; existing ones are left unchanged.`,
      'A worker does this automatically at its first start.',
    ],
    run: async (args, { database, print }) => {
      parse(args, {})
      const loaded = await loadCities(database)
      print(`${loaded.toLocaleString('en')} cities are loaded.`)
      return 0
    },
  },
}
