// Drives the engine with Sabaki's own GTP library, like Sabaki: start-up, synchronization,
// analysis, moves, quitting. Usage: node sabaki.js MODULE ENGINE [ARGUMENT …]; MODULE is the folder
// of @sabaki/gtp.
'use strict'

const assert = require('assert')
const [modulePath, enginePath, ...engineArgs] = process.argv.slice(2)
const {Controller, ControllerStateTracker} = require(modulePath)

const controller = new Controller(enginePath, engineArgs)
const tracker = new ControllerStateTracker(controller)
const replies = []
controller.on('response-received', evt => replies.push(evt))

const play = (color, vertex) => ({name: 'play', args: [color, vertex]})
const position = async () => (await controller.sendCommand({name: 'position'})).content

/** Returns the candidates of a line of analysis, parsed like in Sabaki 0.60. */
const candidates = line =>
  line
    .split(/\s*info\s+/)
    .slice(1)
    .map(part => {
      const match = part.match(/(pv|PV)\s+(([A-HJ-Z]\d+|pass|resign)\s*)+\s*$/i)
      assert(match, `no pv at the end of: ${part}`)
      const words = part.slice(0, match.index).trim().split(/\s+/)
      assert.strictEqual(words.length % 2, 0, `keys and values in: ${part}`)
      const keys = {}
      for (let i = 0; i < words.length; i += 2) keys[words[i]] = words[i + 1]
      return {...keys, pv: match[0].trim().split(/\s+/).slice(1)}
    })

async function startUp() {
  // Send all commands at once, like Sabaki.
  const [name, version, protocol, list, initial] = await Promise.all(
    ['name', 'version', 'protocol_version', 'list_commands', 'get_komi'].map(name =>
      controller.sendCommand({name})
    )
  )
  assert.strictEqual(name.content, 'omnigo')
  assert.match(version.content, /^\d+\.\d+/)
  assert.strictEqual(protocol.content, '2')
  assert(!initial.error)
  const commands = list.content.split('\n')
  assert.strictEqual(commands[0], 'protocol_version')
  assert.strictEqual(new Set(commands).size, commands.length, 'a command twice')
  for (const command of commands) assert.match(command, /^[a-z0-9_-]+$/)
  for (const command of ['analyze', 'genmove_analyze'])
    assert(!commands.includes(command), `${command} is listed`)
  return commands
}

async function synchronise() {
  const state = {
    komi: 6.5,
    boardsize: [9, 9],
    timeSettings: {mainTime: 60, byoyomiTime: 10, byoyomiStones: 5},
    history: [
      {name: 'set_free_handicap', args: ['C3', 'G7']},
      play('W', 'E5'),
      play('B', 'D5'),
      play('W', 'pass'),
      play('B', 'E6')
    ]
  }
  await tracker.sync(state)
  let stones = [...(await position())]
  assert.strictEqual(stones.length, 81)
  assert.deepStrictEqual([20, 60, 40, 39, 49].map(i => stones[i]).join(''), 'XXOXX')

  // Go back by undo and forward by another move, in one write.
  const before = replies.length
  await tracker.sync({...state, history: [...state.history.slice(0, 4), play('B', 'F5')]})
  const sent = replies.slice(before).map(({command}) => command.name)
  assert.deepStrictEqual(sent.slice(0, 2), ['undo', 'play'], 'sync by undo')
  stones = [...(await position())]
  assert.strictEqual(stones[49] + stones[41], '.X')

  // A rectangle, and a new game.
  await tracker.sync({...state, boardsize: [9, 7], history: [play('B', 'J7'), play('W', 'A1')]})
  stones = await position()
  assert.strictEqual(stones.length, 63)
  assert.strictEqual(stones[62] + stones[0], 'XO')

  await tracker.sync({komi: 7, boardsize: [25, 25], timeSettings: null, history: [play('B', 'Z25')]})
  assert.strictEqual([...(await position())][624], 'X')

  // Three stones of one color in a row, as in problems.
  const problem = ['A2', 'B1', 'B2'].map(vertex => play('B', vertex))
  await tracker.sync({komi: 0, boardsize: [9, 9], history: [...problem, play('W', 'A1')].slice(0, 3)})
}

async function analyse(name, interval) {
  await tracker.sync({komi: 6.5, boardsize: [9, 9], history: [play('B', 'E5')]})
  const lines = []
  const analysis = controller.sendCommand({name, args: ['W', `${interval}`]}, ({line}) =>
    lines.push(line)
  )
  await new Promise(resolve => setTimeout(resolve, 1500))
  const asked = Date.now()
  // Sabaki stops an analysis with this command.
  const stopped = controller.sendCommand({name: 'protocol_version'})
  await analysis
  assert.strictEqual((await stopped).content, '2')
  const took = Date.now() - asked
  assert.strictEqual(lines[0].trim(), '=', 'the sign stands alone on its line')
  const updates = lines.filter(line => line.startsWith('info '))
  assert(updates.length >= 1, 'no update')
  for (const update of updates) {
    const moves = candidates(update)
    assert(moves.length >= 1)
    for (const {move, visits, winrate, pv} of moves) {
      assert.match(move, /^([A-HJ-Z]\d+|pass)$/)
      assert.strictEqual(pv[0], move)
      assert(+visits >= 1)
      if (name.startsWith('kata')) {
        assert.match(winrate, /^[01]\.\d+$/)
      } else {
        assert.match(winrate, /^\d+$/)
        assert(+winrate <= 10000)
      }
    }
  }
  return `${updates.length} updates, stopped after ${took} ms`
}

async function genmoveAnalyse(name) {
  await tracker.sync({komi: 6.5, boardsize: [9, 9], history: [play('B', 'E5')]})
  const lines = []
  await controller.sendCommand({name, args: ['W', '50']}, ({line}) => lines.push(line))
  const move = lines.find(line => line.startsWith('play '))
  assert(move, `${name} says no play line`)
  const stones = await position()
  assert.strictEqual([...stones].filter(point => point === 'O').length, move === 'play pass' ? 0 : 1)
  assert.strictEqual(tracker.state.history.length, 2, 'the tracker follows')
  return move
}

async function main() {
  const commands = await startUp()
  console.log(`sabaki: start-up, ${commands.length} commands`)
  await synchronise()
  console.log('sabaki: synchronised with handicap, undo, a rectangle, 25x25 and a problem')
  for (const name of ['kata-analyze', 'lz-analyze']) {
    assert(commands.includes(name), `${name} is not listed`)
    console.log(`sabaki: ${name}: ${await analyse(name, 10)}`)
  }
  for (const name of ['kata-genmove_analyze', 'lz-genmove_analyze']) {
    assert(commands.includes(name), `${name} is not listed`)
    console.log(`sabaki: ${name}: ${await genmoveAnalyse(name)}`)
  }
  await tracker.sync({komi: 6.5, boardsize: [5, 5], history: []})
  for (let turn = 0; turn < 80; turn++) {
    const {content, error} = await tracker.queueCommand({name: 'genmove', args: ['BW'[turn % 2]]})
    assert(!error, content)
    const history = tracker.state.history
    if (content === 'resign') break
    if (content === 'pass' && turn > 0 && history[turn - 1].args[1] === 'PASS') break
  }
  console.log(`sabaki: a game of ${tracker.state.history.length} moves`)
  const begin = Date.now()
  await controller.stop()
  const took = Date.now() - begin
  assert(took < 2500, `quitting took ${took} ms`)
  console.log(`sabaki: gone after ${took} ms`)
}

main().catch(error => {
  console.error(error)
  controller.kill().finally(() => process.exit(1))
})
