use omnigo::playout::{Chance, lockstep::*, scored, Style};
use omnigo::board::grid::*;
fn cpu()->f64{std::fs::read_to_string("/proc/thread-self/schedstat").unwrap().split(' ').next().unwrap().parse::<f64>().unwrap()/1e9}
fn main(){
  for side in std::env::args().nth(1).map(|s| vec![s.parse::<usize>().unwrap()]).unwrap_or(vec![5,9,13,19]) {
    let b = GridBoard::new(Grid::new(side,side).unwrap(),2).unwrap();
    let start = Start::of(&b, Some(omnigo::color::Color::BLACK)).unwrap();
    for w in [Width::Avx512] {
      let mut c=Chance::new(1);
      let n = match (side,w) {(_,Width::Portable)=>4000,(19,_)=>10000,_=>60000};
      let t=cpu();
      let s=sample_with(w,&start,n,&mut c);
      let e=cpu()-t;
      println!("{side} {w:?} {:.0}/s moves {:.2} ns {:.1} mean {:.3}", n as f64/e, s.moves as f64/n as f64, e*1e9/s.moves as f64, s.margins.iter().map(|&m| m as f64).sum::<f64>()/n as f64);
    }
    let mut c=Chance::new(1); let mut end=b.clone(); let mut tr=Vec::new(); let n=10; let mut sum=0; let mut mv=0;
    let t=cpu();
    use omnigo::board::Board;
    for _ in 0..n { scored::from_start(&b,&mut end,Style::Light,&mut c,&mut tr); mv+=tr.len(); let k=end.census(); sum+=k.stones[0]+k.enclosed[0]-k.stones[1]-k.enclosed[1]; }
    let e=cpu()-t;
    println!("{side} scalar {:.0}/s moves {:.2} ns {:.1} mean {:.3}", n as f64/e, mv as f64/n as f64, e*1e9/mv as f64, sum as f64/n as f64);
  }
}
