# Sourced by what runs HPL: its input file.

count() { echo $#; }

# write_hpl_dat NS NBS PMAP PS QS THRESHOLD [DEPTHS]: lists are blank-separated.
write_hpl_dat() {
  # shellcheck disable=SC2086
  cat >HPL.dat <<DAT
HPLinpack benchmark input file
Innovative Computing Laboratory, University of Tennessee
HPL.out      output file name (if any)
6            device out (6=stdout,7=stderr,file)
$(count $1)            # of problems sizes (N)
$1           Ns
$(count $2)            # of NBs
$2           NBs
$3            PMAP process mapping (0=Row-,1=Column-major)
$(count $4)            # of process grids (P x Q)
$4           Ps
$5           Qs
$6           threshold
1            # of panel fact
2            PFACTs (0=left, 1=Crout, 2=Right)
1            # of recursive stopping criterium
4            NBMINs (>= 1)
1            # of panels in recursion
2            NDIVs
1            # of recursive panel fact.
1            RFACTs (0=left, 1=Crout, 2=Right)
1            # of broadcast
1            BCASTs (0=1rg,1=1rM,2=2rg,3=2rM,4=Lng,5=LnM)
$(count ${7:-1})            # of lookahead depth
${7:-1}           DEPTHs (>=0)
2            SWAP (0=bin-exch,1=long,2=mix)
64           swapping threshold
0            L1 in (0=transposed,1=no-transposed) form
0            U  in (0=transposed,1=no-transposed) form
1            Equilibration (0=no,1=yes)
8            memory alignment in double (> 0)
DAT
}
