// Plays games through gtp2ogs, with the sample configuration, on a server of this file's own that
// acts like OGS. Usage: node gtp2ogs.js GTP2OGS ENGINE; GTP2OGS is the folder of gtp2ogs, built.
'use strict'

const assert = require('assert')
const http = require('http')
const path = require('path')

// gtp2ogs loads this file, too, because it takes the port for a part of the host's name.
if (require.main !== module) {
  const request = http.request
  http.request = (options, ...rest) =>
    request({...options, host: options.host.replace(/:.*/, '')}, ...rest)
  return
}

const fs = require('fs')
const os = require('os')
const {spawn} = require('child_process')
const [bridgePath, enginePath] = process.argv.slice(2)
const {WebSocketServer} = require(path.join(bridgePath, 'node_modules/ws'))

const BOT = 1
const COLUMNS = 'abcdefghjklmnopqrstuvwxyz'
const LETTERS = 'abcdefghijklmnopqrstuvwxyz'
const STARS = ['dp', 'pd', 'dd', 'pp']
const FISCHER = {system: 'fischer', initial_time: 20, time_increment: 5, max_time: 60}
const BYOYOMI = {system: 'byoyomi', main_time: 0, period_time: 10, periods: 3}
const SIMPLE = {system: 'simple', per_move: 10}

const wait = ms => new Promise(resolve => setTimeout(resolve, ms))
const other = color => (color === 'black' ? 'white' : 'black')
const numbers = code => [...code].map(letter => LETTERS.indexOf(letter))

/** Second engine. It judges all moves of a game, and makes moves of the opponent. */
class Referee {
  constructor() {
    const options = '--ruleset chinese-ogs --threads 1 --playouts 20 --memory 64 --net none'
    this.child = spawn(enginePath, [...options.split(' '), '--resign-below', '0'])
    this.waiting = []
    let text = ''
    this.child.stdout.on('data', data => {
      const answers = (text + data).split('\n\n')
      text = answers.pop()
      for (const answer of answers) this.waiting.shift()(answer)
    })
  }

  async ask(command) {
    this.child.stdin.write(`${command}\n`)
    const answer = await new Promise(resolve => this.waiting.push(resolve))
    assert.strictEqual(answer[0], '=', `${command}: ${answer}`)
    return answer.slice(1).trim()
  }
}

class Game {
  constructor(ogs, options) {
    const start = {width: 9, height: 9, komi: 7.5, handicap: 0, free: true, black: '', white: ''}
    const players = {bot: 'white', player: 2, speed: 'rapid', time: FISCHER, length: 10}
    Object.assign(this, {...start, ...players, ogs, phase: 'play', moves: [], chats: []}, options)
    this.id = ogs.games.size + 101
    this.turn = this.first = this.black ? 'white' : 'black'
    this.ids = {[this.bot]: BOT, [other(this.bot)]: this.player}
    this.referee = new Referee()
    for (const command of [`boardsize ${this.width} ${this.height}`, `komi ${this.komi}`])
      this.referee.ask(command)
    for (const color of ['black', 'white'])
      for (const code of this[color].match(/../g) ?? [])
        this.referee.ask(`play ${color} ${this.label(code)}`)
    this.over = new Promise(resolve => (this.resolve = resolve))
    ogs.games.set(this.id, this)
  }

  label(code) {
    const [x, y] = numbers(code)
    return code === '..' ? 'pass' : COLUMNS[x] + (this.height - y)
  }

  code(label) {
    if (label === 'PASS') return '..'
    return LETTERS[COLUMNS.indexOf(label[0].toLowerCase())] + LETTERS[this.height - label.slice(1)]
  }

  clock() {
    const {initial_time, main_time, period_time, periods} = this.time
    const left = {thinking_time: initial_time ?? main_time, period_time, periods}
    const time = this.time.system === 'simple' ? this.last : left
    const ids = {black_player_id: this.ids.black, white_player_id: this.ids.white}
    const turn = {current_player: this.ids[this.turn], last_move: this.last}
    return {game_id: this.id, ...ids, ...turn, black_time: time, white_time: time}
  }

  data() {
    const {width, height, komi, handicap, phase, black, white, winner, outcome} = this
    const user = color => ({id: this.ids[color], username: `player ${this.ids[color]}`})
    const board = {width, height, komi, handicap, free_handicap_placement: this.free}
    const settings = {...board, time_control: {speed: this.speed, ...this.time}}
    const start = {initial_player: this.first, initial_state: {black, white}}
    const state = {phase, moves: [...this.moves], clock: this.clock(), winner, outcome}
    const players = {black: user('black'), white: user('white')}
    return {game_id: this.id, ...settings, ...start, players, ...state}
  }

  send(name, data) {
    this.ogs.send(`game/${this.id}/${name}`, data)
  }

  announce() {
    this.ogs.send('active_game', {id: this.id, phase: this.phase})
  }

  start() {
    this.last = Date.now()
    this.announce()
    if (this.turn !== this.bot) this.opponent().catch(fail)
    return this.over
  }

  async opponent() {
    // gtp2ogs hears the engine's chat until 100 ms after a move. It ends itself if an engine ends
    // in its first second.
    await wait(this.moves.length === 2 ? 1000 : 150)
    let code = this.script?.(this.moves.length)
    code ??= this.moves.length < this.length ? undefined : this.ending ?? 'resign'
    if (code === 'resign') return this.end('Resignation', this.bot)
    code ??= this.code((await this.referee.ask(`reg_genmove ${this.turn}`)).toUpperCase())
    await this.move(code, this.turn)
  }

  async move(code, color) {
    assert.deepStrictEqual([this.phase, this.turn], ['play', color], `game ${this.id}: ${code}`)
    const seconds = (Date.now() - this.last) / 1000
    const {initial_time, period_time, per_move} = this.time
    const most = initial_time ?? period_time ?? per_move
    assert(seconds < most, `game ${this.id}: ${seconds} s for a move`)
    await this.referee.ask(`play ${color} ${this.label(code)}`)
    this.last = Date.now()
    this.moves.push([...numbers(code), seconds * 1000])
    const passes = this.moves.slice(-2).filter(([x]) => x < 0).length
    if (!this.free || this.moves.length >= this.handicap) this.turn = other(color)
    if (passes === 2) this.phase = 'stone removal'
    const number = this.moves.length
    this.send('move', {game_id: this.id, move_number: number, move: this.moves[number - 1]})
    this.send('clock', this.clock())
    if (passes < 2) return this.turn === this.bot ? undefined : this.opponent()
    this.send('phase', this.phase)
    const score = await this.referee.ask('final_score')
    this.end(`${score.slice(2)} points`, score[0] === 'B' ? 'black' : 'white')
  }

  end(outcome, color) {
    Object.assign(this, {phase: 'finished', outcome, winner: this.ids[color]})
    this.send('gamedata', this.data())
    this.announce()
    this.referee.child.stdin.end()
    // gtp2ogs leaves the game after a second.
    setTimeout(this.resolve, 1500, this)
  }
}

/** Server that knows as much of OGS as gtp2ogs needs. */
class Ogs {
  constructor() {
    this.games = new Map()
    this.answers = new Map()
    this.configs = 0
    this.server = http.createServer((request, response) => {
      const answer = this.answers.get(+request.url.match(/challenges\/(\d+)/)[1])
      request.on('data', data => answer(request.url.endsWith('/accept') ? 'accepted' : `${data}`))
      request.on('end', () => response.end('{}'))
    })
    new WebSocketServer({server: this.server}).on('connection', socket => {
      Object.assign(this, {socket, known: false})
      socket.on('message', data => this.take(...JSON.parse(data)).catch(fail))
    })
  }

  send(...message) {
    if (this.known) this.socket.send(JSON.stringify(message))
  }

  async take(command, data, id) {
    const game = this.games.get(data.game_id)
    if (command === 'authenticate') {
      assert.strictEqual(data.bot_apikey, 'secret')
      // Answer like a distant server. gtp2ogs 9 ends the engine of a lost connection after 100 ms,
      // even if the game has already taken it again.
      await wait(300)
      this.known = true
      this.send(id, {id: BOT, username: 'omnigo'})
      for (const game of this.games.values()) if (game.phase === 'play') game.announce()
    }
    if (!this.known) return
    if (command === 'net/ping') this.send('net/pong', {client: data.client, server: Date.now()})
    if (command === 'bot/config') this.configs++
    if (command === 'game/connect') game.send('gamedata', game.data())
    if (command === 'game/chat') game.chats.push(data.body.en ?? data.body)
    if (command === 'game/resign') game.end('Resignation', other(game.bot))
    // After the opponent's second pass, gtp2ogs still asks the engine for a move.
    if (command === 'game/move' && game.phase === 'play') await game.move(data.move, game.bot)
  }

  /** Challenges the bot. Returns its answer. */
  challenge({id, width, height, speed, time, player}) {
    const answered = new Promise(resolve => this.answers.set(id, resolve))
    const user = {id: player, username: `player ${player}`}
    const board = {width, height, handicap: 0, komi: 7.5, time_control: {speed, ...time}}
    this.send('notification', {id, type: 'challenge', challenge_id: id, user, ...board})
    return answered
  }

  /** Loses the connection. */
  cut() {
    this.known = false
    this.socket.terminate()
  }
}

const ogs = new Ogs()
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'gtp2ogs-'))
const configPath = path.join(folder, 'gtp2ogs.json5')
let log = ''
let bridge

function fail(error) {
  console.error(log.slice(-4000))
  console.error(error)
  stop(1)
}

function stop(code) {
  bridge?.removeAllListeners('exit').kill()
  fs.rmSync(folder, {recursive: true})
  process.exit(code)
}

/** Waits until a text is in the log of gtp2ogs, after a position. Returns its position. */
async function logged(text, from) {
  while (!log.includes(text, from)) await wait(5)
  return log.indexOf(text, from)
}

function configure(sizes) {
  const sample = path.join(__dirname, '../../examples/bots/gtp2ogs.json5')
  const few = '"--threads", "1", "--playouts", "100", "--greeting", "Hi", "--farewell", "Bye"'
  const changes = {
    'FILL ME IN': 'secret',
    '/path/to/omnigo': enginePath,
    '"--threads", "2"': few,
    '"--seed", "random"': '"--seed", "1"',
    '"allowed_board_sizes": "all"': `"allowed_board_sizes": ${sizes}, "min_move_time": 0`
  }
  let config = fs.readFileSync(sample, 'utf8')
  for (const [from, to] of Object.entries(changes)) {
    assert(config.includes(from), `the sample has no ${from}`)
    config = config.replace(from, to)
  }
  fs.writeFileSync(configPath, config)
}

/** Plays a game, and does something while the engine thinks about the sixth move. */
async function disturb(what, action) {
  const game = new Game(ogs, {width: 19, height: 19})
  const played = game.start()
  await logged('>>> genmove', await logged(`game_id: ${game.id}, move_number: 5`, 0))
  // The answers before that of genmove must have arrived, or gtp2ogs 9 waits forever.
  await wait(60)
  action()
  console.log(`gtp2ogs: ${what}: ${(await played).moves.length} moves`)
}

async function main() {
  await new Promise(resolve => ogs.server.listen(0, '127.0.0.1', resolve))
  configure('"all"')
  const server = `http://127.0.0.1:${ogs.server.address().port}`
  const program = path.join(bridgePath, 'dist/gtp2ogs.js')
  bridge = spawn('node', ['-r', __filename, program, '-c', configPath, '--server', server, '-vv'])
  bridge.on('exit', code => fail(new Error(`gtp2ogs has ended with ${code}`)))
  for (const stream of [bridge.stdout, bridge.stderr]) stream.on('data', data => (log += data))
  while (!ogs.configs) await wait(20)

  const whole = new Game(ogs, {length: 40, ending: '..'})
  assert.strictEqual(await ogs.challenge(whole), 'accepted')
  await whole.start()
  assert.match(whole.outcome, /points/)
  assert(whole.chats.includes('Bye'), `${whole.chats}`)
  console.log(`gtp2ogs: a game of ${whole.moves.length} moves, ${whole.outcome}`)

  // Other clocks, handicaps, and boards, at the same time.
  const large = {width: 19, height: 19, komi: 0.5}
  const several = [
    {bot: 'black', time: BYOYOMI, width: 25, height: 25},
    {time: SIMPLE, width: 13, height: 7},
    {time: BYOYOMI, width: 1, height: 5, ending: '..'}
  ]
  for (const handicap of [2, 4]) {
    const black = STARS.slice(0, handicap).join('')
    const script = n => (n < handicap ? STARS[n] : undefined)
    several.push({...large, handicap, script}, {...large, handicap, bot: 'black'})
    several.push({...large, handicap, free: false, black})
    several.push({...large, handicap, free: false, black, bot: 'black'})
  }
  const games = several.map(options => new Game(ogs, options))
  await Promise.all(games.map(game => game.start()))
  console.log(`gtp2ogs: ${games.length} games at once`)
  const commands = ['set_free_handicap d4 q16 d16 q4', 'place_free_handicap 4', 'boardsize 13 7']
  const clocks = ['kata-time_settings fischer-capped 20 5 60 -1', 'time_settings 0 10 1']
  for (const command of [...commands, ...clocks, 'kgs-time_settings byoyomi 0 10 3'])
    assert(log.includes(`>>> ${command}`), command)

  const lost = new Game(ogs, {komi: -60.5, length: 60})
  await lost.start()
  assert.deepStrictEqual([lost.outcome, lost.winner], ['Resignation', 2])
  console.log(`gtp2ogs: the bot resigns after ${lost.moves.length} moves`)

  await disturb('a lost connection', () => ogs.cut())
  assert(log.includes('Disconnected from server'))

  for (const {id, chats} of ogs.games.values())
    for (const text of ['Hello, I am a bot. Have a nice game!', 'Thank you for the game!', 'Hi'])
      assert.strictEqual(chats.filter(chat => chat === text).length, 1, `game ${id}: ${chats}`)
  assert.deepStrictEqual(log.match(/^.{0,30} ! .*/gm), null)

  const pid = () => +[...log.matchAll(/started with PID (\d+)/g)].at(-1)[1]
  await disturb('a killed engine', () => process.kill(pid(), 'SIGKILL'))

  const usual = {id: 1, width: 9, height: 9, speed: 'rapid', time: FISCHER, player: 3}
  const reject = async (reason, options) => {
    const answer = await ogs.challenge({...usual, ...options})
    assert(answer.includes(`"rejection_code":"${reason}"`), answer)
  }
  const canadian = {system: 'canadian', main_time: 60, period_time: 60, stones_per_period: 5}
  await reject('blitz_not_allowed', {speed: 'blitz'})
  await reject('correspondence_not_allowed', {speed: 'correspondence'})
  await reject('time_control_system_not_allowed', {time: canadian})
  configure('[9, 13, 19]')
  while (ogs.configs < 3) await wait(20)
  await reject('board_size_not_allowed', {width: 5, height: 5})
  console.log('gtp2ogs: unsuitable challenges are rejected')

  const faults = /\] \? .*|Unexpected output.*|not support command.*|forcefully|with code [1-9]\D/g
  assert.deepStrictEqual(log.match(faults), null)
}

main().then(() => stop(0), fail)
