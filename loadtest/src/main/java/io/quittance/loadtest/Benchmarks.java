package io.quittance.loadtest;
import org.openjdk.jmh.runner.*;
import org.openjdk.jmh.runner.options.*;
public class Benchmarks {
  public static void main(String[] a) throws Exception {
    for (var r : new Runner(new OptionsBuilder().include("PspBenchmark").verbosity(VerboseMode.SILENT).param("psp", Senders.names().toArray(new String[0])).forks(1).warmupIterations(3).warmupTime(TimeValue.seconds(2)).measurementIterations(4).measurementTime(TimeValue.seconds(2)).addProfiler("gc").build()).run()) System.out.println(r.getParams().getBenchmark()+" "+r.getParams().getParam("psp")+" "+r.getPrimaryResult().getScore()+" "+r.getPrimaryResult().getScoreError()+" "+(r.getSecondaryResults().get("gc.alloc.rate.norm")==null?"":r.getSecondaryResults().get("gc.alloc.rate.norm").getScore()));
    for (var r : new Runner(new OptionsBuilder().include("RsaBenchmark").verbosity(VerboseMode.SILENT).param("psp", "alipay","wechatpay").forks(1).warmupIterations(3).warmupTime(TimeValue.seconds(2)).measurementIterations(4).measurementTime(TimeValue.seconds(2)).build()).run()) System.out.println(r.getParams().getBenchmark()+" "+r.getParams().getParam("psp")+" "+r.getPrimaryResult().getScore()+" "+r.getPrimaryResult().getScoreError()+" "+(r.getSecondaryResults().get("gc.alloc.rate.norm")==null?"":r.getSecondaryResults().get("gc.alloc.rate.norm").getScore()));
  }
}
